import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { GatewayClient } from "./client"
import { input } from "./client-under-test.spec"
import { TransportUnderTest, good, unavailable } from "./transport-under-test.spec"

const on = new TransportUnderTest()

describe("with HTTPS_PROXY", () => {
  const before = { ...process.env }
  let proxy: Server
  let tunnels: (string | undefined)[][] = []

  beforeEach(async () => {
    tunnels = []
    proxy = createServer()
    proxy.on("connect", ({ url, headers }, socket) => {
      tunnels.push([url, headers["proxy-authorization"]])
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n")
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
    const client = new GatewayClient({ baseUrl: "https://gateway.invalid/api/v1" })
    on.clients.push(client)
    return await unavailable(client.createPaymentRequest(input))
  }

  it("a tunnel to the gateway is asked for, and what the proxy refuses was surely not sent", async () => {
    expect(await create()).toMatchObject({ outcomeUnknown: false })
    expect(tunnels).toEqual(Array(3).fill(["gateway.invalid:443", `Basic ${btoa("shop:pass")}`]))
  })

  it("no tunnel is asked for where NO_PROXY names the gateway, nor on loopback", async () => {
    process.env["NO_PROXY"] = "gateway.invalid"
    expect(await create()).toMatchObject({ outcomeUnknown: false })
    on.gateway.script = [good]
    await expect(on.connect().readBalance("AED")).resolves.toMatchObject({ asset: "AED" })
    expect(tunnels).toEqual([])
  })
})
