import { complete } from "./example-settings.spec"
import { NOTHING_STORED, resolveEffective, type EffectiveSettings } from "./effective-settings"
import { readRegistrations } from "./registrations"

class CryptoProvider {
  static identifier = "crypto"
}
class OtherProvider {
  static identifier = "other"
}

function config(
  options: unknown,
  changes: Record<string, unknown> = {}
): Parameters<typeof readRegistrations>[0] {
  return {
    modules: {
      payment: {
        dependencies: ["cryptoPayments"],
        options: {
          providers: [
            { resolve: { services: [OtherProvider] }, id: "other", options: { anything: true } },
            { resolve: { services: [CryptoProvider] }, id: "default", options },
          ],
        },
        ...changes,
      },
    },
  }
}

/** What the registrations come to when nothing is saved. */
async function resolveAll(
  from: Parameters<typeof readRegistrations>[0]
): Promise<Map<string, EffectiveSettings>> {
  const registrations = await readRegistrations(from)
  return new Map(
    [...registrations].map(([id, registration]) => [id, resolveEffective(registration, NOTHING_STORED)])
  )
}

async function errorOf(promise: Promise<unknown>): Promise<string> {
  return await promise.then(
    () => "no error",
    (error: unknown) => (error as Error).message
  )
}

describe("readRegistrations", () => {
  it("resolves a complete registration with its defaults", async () => {
    const registrations = await resolveAll(config(complete))
    expect([...registrations.keys()]).toEqual(["pp_crypto_default"])
    expect(registrations.get("pp_crypto_default")).toMatchObject({
      isConfigured: true,
      providerId: "pp_crypto_default",
      origin: "https://gateway.example",
      base_url: complete.baseUrl,
      secret_keys: ["s3cret-value"],
      auth: complete.auth,
      auth_type: "bearer",
      auth_username: null,
      auth_header_names: null,
      success_url: complete.successUrl,
      failed_url: complete.failedUrl,
      order_placement: "after_payment",
      unpaid_order_ttl_minutes: null,
      remind_after_minutes: null,
      timeout_ms: 8000,
      payment_link_hosts: null,
      reuse_open_links: true,
      show_items: false,
      min_amount: null,
      max_amount: null,
      public_url: null,
    })
  })

  it("keeps a list of secrets for rotation, the first is current", async () => {
    const registrations = await resolveAll(config({ ...complete, secretKey: ["new", "old"] }))
    expect(registrations.get("pp_crypto_default")).toMatchObject({
      isConfigured: true,
      secret_keys: ["new", "old"],
    })
  })

  it.each([
    ["a key with blanks around it", " new ", ["new"]],
    ["a key with the line break of a file", "new\n", ["new"]],
    ["a rotation whose former key is not set", ["new", undefined], ["new"]],
    ["a rotation whose former key is empty", ["new", "", " \u00a0\u2028"], ["new"]],
    ["a rotation whose former key is null", ["new", null], ["new"]],
    ["a rotation with blanks", ["new ", "\told"], ["new", "old"]],
  ])("takes %s", async (_, secretKey, secretKeys) => {
    const registrations = await resolveAll(config({ ...complete, secretKey }))
    expect(registrations.get("pp_crypto_default")).toMatchObject({
      isConfigured: true,
      secret_keys: secretKeys,
    })
  })

  it.each([
    [{ type: "bearer", token: " t\n" }, { token: "t" }],
    [
      { type: "basic", username: " u ", password: "p\n" },
      { username: "u", password: "p" },
    ],
    [{ type: "headers", headers: { "x-key": "k\n" } }, { headers: { "x-key": "k" } }],
    [
      { type: "signature", apiKey: " a", secretKey: "s " },
      { apiKey: "a", secretKey: "s" },
    ],
  ])("takes credentials without what is around them: %j", async (auth, expected) => {
    const registrations = await resolveAll(config({ ...complete, auth }))
    expect(registrations.get("pp_crypto_default")).toMatchObject({ isConfigured: true, auth: expected })
  })

  it("takes a function as auth", async () => {
    const auth = (): Record<string, string> => ({})
    const registrations = await resolveAll(config({ ...complete, auth }))
    expect(registrations.get("pp_crypto_default")).toMatchObject({ isConfigured: true, auth })
  })

  it.each([
    ["nothing is given", undefined, ["base_url", "success_url", "failed_url", "secret_key"]],
    ["an environment variable is empty", { ...complete, secretKey: "" }, ["secret_key"]],
    ["the secret key is null", { ...complete, secretKey: null }, ["secret_key"]],
    ["the secret key is blank", { ...complete, secretKey: "   " }, ["secret_key"]],
    ["no key of a list is set", { ...complete, secretKey: [undefined] }, ["secret_key"]],
    ["the keys of a list are blank", { ...complete, secretKey: ["", " "] }, ["secret_key"]],
    ["the token is not given", { ...complete, auth: { type: "bearer" } }, ["auth.token"]],
    ["the token is null", { ...complete, auth: { type: "bearer", token: null } }, ["auth.token"]],
    ["the token is blank", { ...complete, auth: { type: "bearer", token: "\n" } }, ["auth.token"]],
    ["basic has no password", { ...complete, auth: { type: "basic", username: "u" } }, ["auth.password"]],
    [
      "a header's value is missing",
      { ...complete, auth: { type: "headers", headers: { "x-key": "" } } },
      ["auth.headers.x-key"],
    ],
    ["signature has no key", { ...complete, auth: { type: "signature" } }, ["auth.api_key"]],
  ])("is not configured, and the store boots, when %s", async (_, options, missing) => {
    const registrations = await resolveAll(config(options))
    expect(registrations.get("pp_crypto_default")).toMatchObject({
      missing,
      problem: null,
      isConfigured: false,
    })
  })

  it("stops the boot and names the line when dependencies is missing", async () => {
    const message = await errorOf(readRegistrations(config(complete, { dependencies: undefined })))
    expect(message).toContain('dependencies: ["cryptoPayments"]')
    expect(message).toContain('"@medusajs/medusa/payment"')
  })

  it.each([
    ["baseUrl", { baseUrl: "http://gateway.example/v1" }],
    ["baseUrl", { baseUrl: "https://user:pass@gateway.example/v1" }],
    ["baseUrl", { baseUrl: "https://:s3cret@gateway.example/v1" }],
    ["baseUrl", { baseUrl: "gateway" }],
    ["secretKey", { secretKey: 42 }],
    ["secretKey", { secretKey: "s3cret\nvalue" }],
    ["secretKey.1", { secretKey: ["new", "s3cret\u200bvalue"] }],
    ["auth.token", { auth: { type: "bearer", token: "t0ken-\u202evalue" } }],
    ["auth.type", { auth: { type: "magic" } }],
    ["auth", { auth: { type: "bearer", token: "t0ken\u2019value" } }],
    ["auth", { auth: { type: "headers", headers: { "X-Key ": "t0ken-value" } } }],
    ["auth", { auth: { type: "headers", headers: { Host: "t0ken-value" } } }],
    ["auth", { auth: { type: "basic", username: "t0ken:value", password: "s3cret" } }],
    ["auth", { auth: { type: "signature", apiKey: "t0ken\u2019value" }, secretKey: "", baseUrl: "" }],
    ["successUrl", { successUrl: "/return" }],
    ["successUrl", { successUrl: "https://shop.example/\nreturn" }],
    ["successUrl", { successUrl: "https://shop.example/\treturn" }],
    ["failedUrl", { failedUrl: "https://shop.example\\return" }],
    ["failedUrl", { failedUrl: "https:shop.example" }],
    ["failedUrl", { failedUrl: "https:///shop.example/" }],
    ["orderPlacement", { orderPlacement: "whenever" }],
    ["timeoutMs", { timeoutMs: 30_000 }],
    ["unpaidOrderTtlMinutes", { unpaidOrderTtlMinutes: 0 }],
    ["paymentLinkHosts", { paymentLinkHosts: "pay.example" }],
    ["paymentLinkHosts", { paymentLinkHosts: [] }],
    ["paymentLinkHosts", { paymentLinkHosts: [undefined] }],
    ["paymentLinkHosts", { paymentLinkHosts: [null, ""] }],
    ["paymentLinkHosts.1", { paymentLinkHosts: ["pay.example", "https://foo bar/x"] }],
    ["paymentLinkHosts.0", { paymentLinkHosts: ["*.gateway.example"] }],
    ["reuseOpenLinks", { reuseOpenLinks: "yes" }],
    ["minAmount", { minAmount: "5.00" }],
    ["minAmount.usd", { minAmount: { usd: 5 } }],
    ["minAmount.usd", { minAmount: { usd: "5.005" } }],
    ["minAmount.usd", { minAmount: { usd: "-5" } }],
    ["minAmount.aed", { minAmount: { aed: "1,000" } }],
    ["minAmount.eur", { minAmount: { eur: "5.00" } }],
    ["minAmount.USD", { minAmount: { usd: "5.00", USD: "6.00" } }],
    ["maxAmount.usd", { maxAmount: { usd: "0.00" } }],
    ["minAmount.usd", { minAmount: { usd: "10.01" }, maxAmount: { USD: "10" } }],
    ["publicUrl", { publicUrl: "shop" }],
    ["publicUrl", { publicUrl: "https://store.example/?shop=s3cret" }],
    ["publicUrl", { publicUrl: "https://store.example/#s3cret" }],
    ["publicUrl", { publicUrl: "https://user:pass@store.example" }],
    ["successUrl", { successUrl: "https://user:pass@shop.example/return" }],
    ["successUrl", { successUrl: "https://@shop.example/return" }],
    ["failedUrl", { failedUrl: "https://s3cret@shop.example/return" }],
    ["allowedOrigins.0", { allowedOrigins: ["http://gateway.example"] }],
    ["allowedOrigins.0", { allowedOrigins: ["https://gateway.example/api"] }],
    ["allowedOrigins.0", { allowedOrigins: ["*"] }],
    ["allowedOrigins", { allowedOrigins: "https://gateway.example" }],
    ["baseURL", { baseURL: "https://gateway.example" }],
  ])("stops the boot naming option %s for %j, and never its value", async (name, changes) => {
    const message = await errorOf(readRegistrations(config({ ...complete, ...changes })))
    expect(message).toContain(`"${name}"`)
    expect(message).toContain('provider "default"')
    expect(message).not.toMatch(/s3cret|t0ken|user:pass|gateway\.example/)
  })

  it.each([
    ["paymentLinkHosts", null],
    ["allowedOrigins", [null]],
    ["timeoutMs", null],
    ["auth", null],
    ["auth", { type: "signature", apiKey: "a", secretKey: null, headerNames: { apiKey: null } }],
  ])("takes %s as not given where nothing in it is set: %j", async (name, value) => {
    const registrations = await resolveAll(config({ ...complete, [name]: value }))
    expect(registrations.get("pp_crypto_default")).toMatchObject({ missing: [], problem: null })
    expect(registrations.get("pp_crypto_default")?.payment_link_hosts).toBeNull()
  })

  it("takes hosts of payment links in every spelling, and keeps them as links have them", async () => {
    const paymentLinkHosts = ["PAY.gateway.example", "https://pay2.gateway.example/pay", "localhost:4010"]
    const registrations = await readRegistrations(config({ ...complete, paymentLinkHosts }))
    expect(registrations.get("pp_crypto_default")?.values.payment_link_hosts).toEqual([
      "pay.gateway.example",
      "pay2.gateway.example",
      "localhost:4010",
    ])
  })

  it.each([
    [
      { usd: "5.00", aed: "20.00" },
      { aed: "20.00", usd: "5.00" },
    ],
    [
      { USD: "5", Aed: " 20.5 " },
      { aed: "20.50", usd: "5.00" },
    ],
    [{ usd: "0", aed: "" }, { usd: "0.00" }],
    [{ usd: undefined }, undefined],
  ])("takes amounts per currency in every spelling: %j", async (minAmount, min_amount) => {
    const registrations = await readRegistrations(config({ ...complete, minAmount }))
    expect(registrations.get("pp_crypto_default")?.values.min_amount).toEqual(min_amount)
  })

  it("takes a smallest amount that is the largest, and more than the largest of another currency", async () => {
    const limits = { minAmount: { usd: "10.00", aed: "50" }, maxAmount: { usd: "10" } }
    const registrations = await readRegistrations(config({ ...complete, ...limits }))
    expect(registrations.get("pp_crypto_default")?.values).toMatchObject({ max_amount: { usd: "10.00" } })
  })

  it.each([
    [
      { minAmount: { usd: 5 } },
      'option "minAmount.usd" is malformed: must be a text such as "5.00", in quotes',
    ],
    [{ minAmount: { usd: "5.005" } }, "with two decimals at most"],
    [
      { maxAmount: { eur: "5.00" } },
      'option "maxAmount.eur" is malformed: must be aed or usd, which the gateway takes',
    ],
    [{ maxAmount: { usd: "0" } }, 'option "maxAmount.usd" is malformed: must be above zero'],
    [{ minAmount: { usd: "6" }, maxAmount: { usd: "5" } }, "must not be more than maxAmount"],
  ])("says what amounts have to be: %j", async (changes, words) => {
    expect(await errorOf(readRegistrations(config({ ...complete, ...changes })))).toContain(words)
  })

  it("takes allowed origins, writes them as origins, and drops those that are not set", async () => {
    const allowedOrigins = ["https://Gateway.example:443/", undefined, "", "http://localhost:4010"]
    const registrations = await readRegistrations(config({ ...complete, allowedOrigins }))
    expect(registrations.get("pp_crypto_default")?.allowed_origins).toEqual([
      "https://gateway.example",
      "http://localhost:4010",
    ])
  })

  it.each(["127.0.0.1", "127.210.220.230", "localhost", "[::1]"])("takes http on %s", async (host) => {
    const registrations = await resolveAll(config({ ...complete, baseUrl: `http://${host}:4010/v1` }))
    expect(registrations.get("pp_crypto_default")).toMatchObject({ missing: [] })
  })

  it("stops the boot when a registration has no usable id", async () => {
    const noId = { resolve: { services: [CryptoProvider] }, options: complete }
    const message = await errorOf(
      readRegistrations({
        modules: { payment: { dependencies: ["cryptoPayments"], options: { providers: [noId] } } },
      })
    )
    expect(message).toContain("needs an id")
  })

  it("stops the boot when two registrations have one id: core would let the last one take the place of the first", async () => {
    const provider = { resolve: { services: [CryptoProvider] }, id: "default", options: complete }
    const message = await errorOf(
      readRegistrations({
        modules: {
          payment: { dependencies: ["cryptoPayments"], options: { providers: [provider, provider] } },
        },
      })
    )
    expect(message).toContain('two crypto providers have the id of "pp_crypto_default"')
  })

  it.each([
    ["its own", "https://own.example", "https://own.example"],
    ["another provider's, because all are of one store", undefined, "https://other.example"],
  ])("takes as the store's public address %s", async (_, publicUrl, expected) => {
    const providerOf = (id: string, url: string | undefined) => ({
      resolve: { services: [CryptoProvider] },
      id,
      options: { ...complete, publicUrl: url },
    })
    const providers = [providerOf("default", publicUrl), providerOf("second", "https://other.example")]
    const payment = { dependencies: ["cryptoPayments"], options: { providers } }
    const registrations = await resolveAll({ modules: { payment } })
    expect(registrations.get("pp_crypto_default")?.public_url).toBe(expected)
  })

  it("has nothing to say about a store without our provider", async () => {
    expect(await readRegistrations({ modules: { payment: true } })).toEqual(new Map())
  })
})
