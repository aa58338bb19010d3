import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { connect, type AddressInfo, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import tls, { createServer as createTlsServer } from "node:tls"
import { inspect } from "node:util"
import { AUTHORITY, CERTIFICATES, KEY } from "./certificates-under-test.spec"
import { GatewayClient } from "./client"
import { input } from "./client-under-test.spec"
import { TransportUnderTest, good, unavailable } from "./transport-under-test.spec"

const on = new TransportUnderTest()

describe("with HTTPS_PROXY", () => {
  const before = { ...process.env }
  let proxy: Server
  let tunnels: (string | undefined)[][] = []
  let answer: (socket: Duplex) => void
  const host = "gateway.invalid"

  beforeEach(async () => {
    tunnels = []
    answer = (socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n")
    proxy = createServer()
    proxy.on("connect", ({ url, headers }, socket) => {
      tunnels.push([url, headers["proxy-authorization"]])
      answer(socket)
    })
    proxy.listen(0, "127.0.0.1")
    await once(proxy, "listening")
    const { port } = proxy.address() as AddressInfo
    process.env["HTTPS_PROXY"] = `http://shop:pass@127.0.0.1:${String(port)}`
  })

  afterEach(async () => {
    process.env = { ...before }
    proxy.close()
    await once(proxy, "close")
  })

  const create = async (): ReturnType<typeof unavailable> => {
    const client = new GatewayClient({ baseUrl: `https://${host}/api/v1`, timeoutMs: 1000 })
    return await unavailable(client.createPaymentRequest(input))
  }

  it("a tunnel to the gateway is asked for once, and the password is not shown when the proxy refuses", async () => {
    const error = await create()
    expect(error).toMatchObject({ reason: "proxy_refused", outcomeUnknown: false })
    expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/pass|c2hvcDpwYXNz/)
    expect(tunnels).toEqual([[`${host}:443`, `Basic ${btoa("shop:pass")}`]])
  })

  it.each([
    ["closes the connection", (socket: Duplex): unknown => socket.end()],
    ["resets it", (socket: Duplex): unknown => (socket as unknown as Socket).resetAndDestroy()],
  ])("a proxy that %s is not asked again and again", async (_, by) => {
    answer = by
    expect(await create()).toMatchObject({ reason: "proxy_unreachable", outcomeUnknown: false })
    expect(tunnels).toHaveLength(1)
  })

  it("a proxy that wants a login is named", async () => {
    answer = (socket) => socket.end("HTTP/1.1 407 No\r\n\r\n")
    expect(await create()).toMatchObject({ reason: "proxy_login_required", outcomeUnknown: false })
  })

  it("an empty https_proxy does not hide HTTPS_PROXY, nor an empty no_proxy NO_PROXY", async () => {
    process.env["https_proxy"] = ""
    await create()
    expect(tunnels).toHaveLength(1)
    process.env["no_proxy"] = ""
    process.env["NO_PROXY"] = host
    await create()
    expect(tunnels).toHaveLength(1)
  })

  it.each(["proxy.example:99999", "no-http://proxy.example", "http://"])("%p is no proxy", (address) => {
    process.env["HTTPS_PROXY"] = address
    expect(() => new GatewayClient({ baseUrl: `https://${host}` })).toThrow(
      "HTTPS_PROXY must be an address such as http://proxy.example:3128"
    )
  })

  it("a certificate for another host behind a tunnel is named as without a proxy", async () => {
    const gateway = createTlsServer({ key: KEY, cert: CERTIFICATES.other })
    gateway.listen(0, "127.0.0.1")
    await once(gateway, "listening")
    const { port } = gateway.address() as AddressInfo
    answer = (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n")
      const through = connect(port, "127.0.0.1")
      socket.pipe(through).pipe(socket)
    }
    const realConnect = tls.connect
    jest
      .spyOn(tls, "connect")
      .mockImplementation(((options: tls.ConnectionOptions) =>
        realConnect({ ...options, ca: AUTHORITY })) as never)
    expect(await create()).toMatchObject({ reason: "certificate_wrong_host", outcomeUnknown: false })
    gateway.close()
    await once(gateway, "close")
  })

  it("no tunnel is asked for where NO_PROXY names the gateway, nor on loopback", async () => {
    process.env["NO_PROXY"] = host
    expect(await create()).toMatchObject({ outcomeUnknown: false })
    on.gateway.script = [good]
    await expect(on.connect().readBalance("AED")).resolves.toMatchObject({ asset: "AED" })
    expect(tunnels).toEqual([])
  })
})
