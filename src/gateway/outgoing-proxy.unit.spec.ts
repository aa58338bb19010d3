import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import type { Duplex } from "node:stream"
import { GatewayClient } from "./client"
import { input } from "./client-under-test.spec"
import { TransportUnderTest, good, unavailable } from "./transport-under-test.spec"

const on = new TransportUnderTest()

describe("with HTTPS_PROXY", () => {
  const before = { ...process.env }
  let proxy: Server
  let tunnels: (string | undefined)[][] = []
  let answer: (socket: Duplex) => void
  /** New for each test, because the connections of an origin keep the proxy that they were made with. */
  let host = ""
  let tests = 0

  beforeEach(async () => {
    tunnels = []
    tests += 1
    host = `gateway-${String(tests)}.invalid`
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
    const client = new GatewayClient({ baseUrl: `https://${host}/api/v1` })
    on.clients.push(client)
    return await unavailable(client.createPaymentRequest(input))
  }

  it("a tunnel to the gateway is asked for, and what the proxy refuses was surely not sent", async () => {
    expect(await create()).toMatchObject({ outcomeUnknown: false })
    expect(tunnels).toEqual(Array(3).fill([`${host}:443`, `Basic ${btoa("shop:pass")}`]))
  })

  it.each([
    ["closes the connection", (socket: Duplex): unknown => socket.end()],
    ["resets it", (socket: Duplex): unknown => (socket as unknown as Socket).resetAndDestroy()],
  ])("a proxy that %s is asked three times, and nothing was sent", async (_, by) => {
    answer = by
    expect(await create()).toMatchObject({ outcomeUnknown: false })
    expect(tunnels).toHaveLength(3)
  })

  it.each(["proxy.example:99999", "socks5://proxy.example", "no-http://proxy.example", "http://"])(
    "%p is no proxy",
    (address) => {
      process.env["HTTPS_PROXY"] = address
      expect(() => new GatewayClient({ baseUrl: `https://${host}` })).toThrow(
        "HTTPS_PROXY must be an address such as http://proxy.example:3128"
      )
    }
  )

  it("an address without its scheme is taken as one of http", async () => {
    process.env["HTTPS_PROXY"] = process.env["HTTPS_PROXY"]?.replace("http://", "")
    await create()
    expect(tunnels).toHaveLength(3)
  })

  it("no tunnel is asked for where NO_PROXY names the gateway, nor on loopback", async () => {
    process.env["NO_PROXY"] = host
    expect(await create()).toMatchObject({ outcomeUnknown: false })
    on.gateway.script = [good]
    await expect(on.connect().readBalance("AED")).resolves.toMatchObject({ asset: "AED" })
    expect(tunnels).toEqual([])
  })
})
