import { request as send } from "node:http"
import type { SandboxOptions } from "./options"
import { startKit, type Kit } from "./testing-kit.spec"

describe("the sandbox's pages and control API", () => {
  let kit: Kit
  afterEach(async () => {
    await kit.close()
  })

  /** With a Host header, which fetch does not let be set. */
  const ask = async (
    path: string,
    headers: Record<string, string>,
    { method = "GET", ...options }: Partial<SandboxOptions> & { method?: string } = {}
  ): Promise<number | undefined> => {
    kit = await startKit(options)
    return await new Promise((resolve, reject) => {
      const request = send(
        { host: "127.0.0.1", port: kit.sandbox.port, path, method, headers },
        (response) => {
          response.resume()
          resolve(response.statusCode)
        }
      )
      request.on("error", reject)
      request.end()
    })
  }

  it.each([["evil.example"], ["evil.example:4010"], ["localhost.evil.example"], ["not a name"]])(
    "show nothing to a page whose own name %p was pointed at this machine",
    async (host) => {
      expect(await ask("/control/calls", { host })).toBe(403)
    }
  )

  it("let such a page press nothing, although its origin is the host it asks", async () => {
    const headers = { host: "evil.example", origin: "http://evil.example" }
    expect(await ask("/control/reset", headers, { method: "POST" })).toBe(403)
  })

  it.each([["localhost:4010"], ["Localhost"], ["127.0.0.1:4010"], ["[::1]:4010"], ["192.168.1.20:4010"]])(
    "answer to %s, which nobody can point elsewhere",
    async (host) => {
      expect(await ask("/control/calls", { host })).toBe(200)
    }
  )

  it("answer to the name of the public address", async () => {
    const options = { publicUrl: "https://pay.example/" }
    expect(await ask("/control/calls", { host: "pay.example" }, options)).toBe(200)
  })

  it("can be pressed on the public address' own pages, behind a proxy that keeps no Host", async () => {
    const options = { publicUrl: "https://pay.example/", method: "POST" }
    expect(await ask("/control/reset", { host: "127.0.0.1", origin: "https://pay.example" }, options)).toBe(
      200
    )
  })

  it("cannot be pressed by another program's page on this machine", async () => {
    const headers = { host: "127.0.0.1:4010", origin: "http://127.0.0.1:8000" }
    expect(await ask("/control/reset", headers, { method: "POST" })).toBe(403)
  })

  it("leave the gateway's API to any name: a store in a container knows it by one of its own", async () => {
    expect(await ask("/v1/api/payments", { host: "gateway" })).toBe(200)
  })
})
