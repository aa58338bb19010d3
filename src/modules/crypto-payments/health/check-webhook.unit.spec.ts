import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { checkWebhook, SELF_TEST_ID } from "./check-webhook"
import type { ProviderStatusStore } from "./provider-status"
import { NOTHING_STORED, resolveEffective, type EffectiveSettings } from "../settings/effective-settings"
import { readOptions } from "../settings/registrations"

/** The one thing of the ledger that the webhook check uses: the nonce that arrived last. */
class Nonces {
  arrived: unknown
  async hasSelfTest(_providerId: string, nonce: string): Promise<boolean> {
    return this.arrived === nonce
  }
}

function settings(publicUrl: string | undefined): EffectiveSettings {
  const options = {
    baseUrl: "https://gateway.example/api/v1",
    secretKey: "s3cret",
    successUrl: "https://shop.example/r",
    failedUrl: "https://shop.example/f",
    ...(publicUrl === undefined ? {} : { publicUrl }),
  }
  const registration = { providerId: "pp_crypto_default", ...readOptions(options) }
  return resolveEffective(registration, NOTHING_STORED)
}

describe("checkWebhook", () => {
  let server: Server
  let port: number
  let nonces: Nonces
  let received: Record<"method" | "url" | "agent" | "body", string | undefined> | undefined

  beforeEach(async () => {
    nonces = new Nonces()
    received = undefined
    server = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk) => (body += String(chunk)))
      request.on("end", () => {
        const { method, url, headers } = request
        received = { method, url, agent: headers["user-agent"], body }
        nonces.arrived ??= (JSON.parse(body) as { data: Record<string, unknown> }).data["payment_request_id"]
        response.writeHead(200).end("a body nobody reads")
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    port = (server.address() as AddressInfo).port
  })

  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  const check = async (publicUrl: string | undefined): ReturnType<typeof checkWebhook> =>
    await checkWebhook(settings(publicUrl), nonces as unknown as ProviderStatusStore)

  it("posts a signed nonce to the webhook's path of the public address, and nothing of the payer or the secret", async () => {
    const found = await check(`http://127.0.0.1:${port}`)
    expect(found).toMatchObject({ ok: true, problem: null, http_status: 200 })
    expect(received).toMatchObject({
      method: "POST",
      url: "/hooks/payment/crypto_default",
      agent: "medusa-payment-crypto",
    })
    const { data, approval_hash } = JSON.parse(received?.body ?? "") as {
      data: Record<string, string>
      approval_hash: string
    }
    expect(data["payment_request_id"]).toMatch(SELF_TEST_ID)
    expect(approval_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(received?.body).not.toContain("s3cret")
  })

  it.each(["/some/path", "/some/path//"])("posts below the path of a public address: %s", async (path) => {
    const found = await check(`http://127.0.0.1:${port}${path}`)
    expect(found.url).toBe(`http://127.0.0.1:${port}/some/path/hooks/payment/crypto_default`)
    expect(received?.url).toBe("/some/path/hooks/payment/crypto_default")
  })

  it("shows only the path without a public address, and sends nothing", async () => {
    const found = await check(undefined)
    expect(found).toMatchObject({ ok: false, problem: "no_public_url", url: null, http_status: null })
    expect(found.path).toBe("/hooks/payment/crypto_default")
    expect(received).toBeUndefined()
  })

  it("does not count the nonce of an earlier test", async () => {
    await check(`http://127.0.0.1:${port}`)
    expect(await check(`http://127.0.0.1:${port}`)).toMatchObject({ ok: false, problem: "not_this_store" })
  })

  it("says that nothing listens at the address", async () => {
    expect(await check("http://127.0.0.1:9")).toMatchObject({ ok: false, problem: "unreachable" })
  })

  it("says that the address has no TLS that can be trusted", async () => {
    expect(await check(`https://127.0.0.1:${port}`)).toMatchObject({ ok: false, problem: "tls" })
  })
})
