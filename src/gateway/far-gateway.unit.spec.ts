import dns from "node:dns"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Connections, type PoolUse } from "./pools"

const FAR_MS = 300
let server: Server
let port: string

/**
 * Every host has an IPv4 address, where the server is, and an IPv6 one, which refuses: a host without IPv6. The kernel
 * connects at once, but Node does not hear of it before 300 ms have passed.
 */
function beFar(): void {
  const addresses = [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ]
  const lookUp = (_host: string, _options: object, found: (error: null, all: object[]) => void): void => {
    setImmediate(() => {
      found(null, addresses)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FAR_MS)
    })
  }
  jest.spyOn(dns, "lookup").mockImplementation(lookUp as never)
}

beforeEach(async () => {
  server = createServer((_, response) => response.end())
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  port = String((server.address() as AddressInfo).port)
  beFar()
})
afterEach(async () => {
  jest.restoreAllMocks()
  server.closeAllConnections()
  server.close()
  await once(server, "close")
})

describe("a gateway with IPv4 and IPv6 that is 300 ms away, from a host without IPv6", () => {
  it.each<PoolUse>(["shop", "settling"])("is reached: %s", async (use) => {
    const origin = `http://${use}.localhost:${port}`
    const { statusCode } = await new Connections().of(use).request({ origin, path: "/", method: "GET" })
    expect(statusCode).toBe(200)
  })

  it("is reached through a proxy that is as far", async () => {
    const before = { ...process.env }
    process.env["HTTPS_PROXY"] = `http://proxy.localhost:${port}`
    const asked = once(server, "connect").then(([, socket]) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"))
    try {
      const origin = "https://gateway.invalid"
      const asking = new Connections().of("shop").request({ origin, path: "/", method: "GET" })
      await expect(asking).rejects.toMatchObject({ reason: "proxy_refused" })
      await asked
    } finally {
      process.env = before
    }
  })
})
