import { describeProblem } from "./effective-settings"
import { A, atA, B, effective } from "./example-settings.spec"
import { viewSettings } from "./settings-view"

describe("resolveEffective", () => {
  it("takes what is saved where medusa-config gives nothing", () => {
    expect(effective()).toMatchObject({
      missing: [],
      isConfigured: true,
      base_url: A,
      secret_keys: ["key"],
      auth: { type: "bearer", token: "token" },
      timeout_ms: 8000,
    })
  })

  it("lets medusa-config win, field by field", () => {
    const settings = effective({
      secretKey: "from-config",
      timeoutMs: 1000,
      allowedOrigins: ["https://a.example"],
    })
    expect(settings).toMatchObject({ secret_keys: ["from-config"], timeout_ms: 1000, base_url: A })
    const { fields } = viewSettings(settings, [])
    expect(fields.timeout_ms).toEqual({ value: 1000, source: "config", locked: true })
    expect(fields.base_url).toEqual({ value: A, source: "stored", locked: false })
    expect(fields.reuse_open_links).toEqual({ value: true, source: "default", locked: false })
    const { secrets } = settings
    expect(secrets.get("secret_key")).toMatchObject({ source: "config" })
    expect(secrets.get("auth.token")).toMatchObject({ source: "stored" })
  })

  it("uses a saved token with the type medusa-config gives", () => {
    expect(effective({ auth: { type: "bearer" } })).toMatchObject({
      isConfigured: true,
      auth: { type: "bearer", token: "token" },
    })
  })

  it("sends medusa-config's own secrets to medusa-config's own address, whatever was saved", () => {
    const config = { baseUrl: B, secretKey: "k", auth: { type: "bearer", token: "t" } }
    expect(effective(config)).toMatchObject({ isConfigured: true, base_url: B, auth: { token: "t" } })
  })

  it.each([
    ["none", {}],
    ["others", { allowedOrigins: ["https://b.example", "https://a.example:8443", "http://localhost:1"] }],
  ])("does not send medusa-config's secrets to a saved address when it allows %s", (_, more) => {
    const config = { secretKey: "k", auth: { type: "bearer", token: "t" }, ...more }
    expect(effective(config)).toMatchObject({
      problem: "address_not_allowed",
      missing: ["secret_key", "auth.token"],
      isConfigured: false,
    })
    expect(describeProblem("address_not_allowed")).toContain("allowedOrigins")
  })

  it("sends them to a saved address that medusa-config allows", () => {
    const config = {
      secretKey: "k",
      auth: { type: "bearer", token: "t" },
      allowedOrigins: ["https://a.example"],
    }
    expect(effective(config)).toMatchObject({
      problem: null,
      isConfigured: true,
      base_url: A,
      auth: { token: "t" },
    })
  })

  it("calls medusa-config's function for no address that medusa-config does not allow", () => {
    const auth = (): Record<string, string> => ({})
    expect(effective({ auth })).toMatchObject({
      problem: "address_not_allowed",
      missing: ["auth_type"],
      isConfigured: false,
    })
    expect(effective({ auth, allowedOrigins: ["https://a.example"] })).toMatchObject({
      isConfigured: true,
      auth,
    })
  })

  it("is not configured, and says so, when the address is another than its secrets were sealed for", () => {
    const moved = { sealed: "v1.text", problem: "elsewhere" as const }
    const secrets = { secret_key: [moved], "auth.token": [moved] }
    expect(effective({}, { ...atA, secrets })).toMatchObject({
      problem: "elsewhere",
      missing: ["secret_key", "auth.token"],
      isConfigured: false,
    })
  })

  it("has the secret key of settings without a return address: a test of the connection may sign with it", () => {
    const settings = effective({ successUrl: "", auth: { type: "signature", apiKey: "a" } }, atA)
    expect(settings).toMatchObject({
      problem: "address_not_allowed",
      missing: ["success_url", "auth.api_key"],
    })
    expect(settings).toMatchObject({ isConfigured: false, secret_keys: ["key"] })
  })

  it("is not configured when a later release has saved an authentication that this one does not know", () => {
    const values = { ...atA.values, auth_type: "later" as "none" }
    const { missing, isConfigured } = effective({}, { ...atA, values })
    expect([missing, isConfigured]).toEqual([["auth_type"], false])
  })

  it("is configured, and says so, when a saved limit crosses medusa-config's", () => {
    const saved = (usd: string) => ({ ...atA, values: { ...atA.values, max_amount: { usd, aed: "4.00" } } })
    const minAmount = { usd: "5.00", aed: "4.00" }
    expect(effective({ minAmount }, saved("4.99"))).toMatchObject({
      problem: "limits_crossed",
      isConfigured: true,
    })
    expect(effective({ minAmount }, saved("5.00")).problem).toBeNull()
  })

  it("is not configured, with the variable named, when a secret does not open", () => {
    const lost = { sealed: "v1.text", problem: "unreadable" as const }
    expect(effective({}, { ...atA, secrets: { ...atA.secrets, secret_key: [lost] } })).toMatchObject({
      problem: "unreadable",
      missing: ["secret_key"],
      isConfigured: false,
    })
    expect(describeProblem("unreadable")).toContain("CRYPTO_PAYMENTS_ENCRYPTION_KEY")
  })
})
