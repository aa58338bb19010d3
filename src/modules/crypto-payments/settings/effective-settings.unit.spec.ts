import { A, atA, B, effective } from "./example-settings.spec"

describe("resolveEffective", () => {
  it("takes what is saved where medusa-config gives nothing", () => {
    expect(effective().resolution).toMatchObject({
      configured: true,
      settings: {
        baseUrl: A,
        secretKeys: ["key"],
        auth: { type: "bearer", token: "token" },
        timeoutMs: 8000,
      },
    })
  })

  it("lets medusa-config win, field by field", () => {
    const { fields, secrets, resolution } = effective({
      secretKey: "from-config",
      timeoutMs: 1000,
      allowedOrigins: ["https://a.example"],
    })
    expect(resolution).toMatchObject({
      settings: { secretKeys: ["from-config"], timeoutMs: 1000, baseUrl: A },
    })
    expect(fields.timeout_ms).toEqual({ value: 1000, source: "config", locked: true })
    expect(fields.base_url).toEqual({ value: A, source: "stored", locked: false })
    expect(secrets.get("secret_key")).toMatchObject({ source: "config" })
    expect(secrets.get("auth.token")).toMatchObject({ source: "stored" })
  })

  it("uses a saved token with the type medusa-config gives", () => {
    expect(effective({ auth: { type: "bearer" } }).resolution).toMatchObject({
      settings: { auth: { type: "bearer", token: "token" } },
    })
  })

  it("does not send saved secrets to another origin that medusa-config has come to give", () => {
    expect(effective({ baseUrl: B })).toMatchObject({
      problem: "elsewhere",
      resolution: {
        configured: false,
        missing: ["secret_key", "auth.token"],
        problem: expect.stringContaining("another gateway address"),
      },
    })
  })

  it("sends medusa-config's own secrets to medusa-config's own address, whatever was saved", () => {
    const config = { baseUrl: B, secretKey: "k", auth: { type: "bearer", token: "t" } }
    expect(effective(config).resolution).toMatchObject({
      configured: true,
      settings: { baseUrl: B, auth: { token: "t" } },
    })
  })

  it.each([
    ["none", {}],
    ["others", { allowedOrigins: ["https://b.example", "https://a.example:8443", "http://localhost:1"] }],
  ])("does not send medusa-config's secrets to a saved address when it allows %s", (_, more) => {
    const config = { secretKey: "k", auth: { type: "bearer", token: "t" }, ...more }
    expect(effective(config)).toMatchObject({
      problem: "address_not_allowed",
      resolution: {
        configured: false,
        missing: ["secret_key", "auth.token"],
        problem: expect.stringContaining("allowedOrigins"),
      },
    })
  })

  it("sends them to a saved address that medusa-config allows, wherever they were used before", () => {
    const config = {
      secretKey: "k",
      auth: { type: "bearer", token: "t" },
      allowedOrigins: ["https://a.example"],
    }
    for (const bound_base_url of [A, B, null]) {
      expect(effective(config, { ...atA, bound_base_url })).toMatchObject({
        problem: null,
        resolution: { configured: true, settings: { baseUrl: A, auth: { token: "t" } } },
      })
    }
  })

  it("calls medusa-config's function for no address that medusa-config does not allow", () => {
    const auth = (): Record<string, string> => ({})
    expect(effective({ auth })).toMatchObject({
      problem: "address_not_allowed",
      resolution: { configured: false, missing: ["auth_type"] },
    })
    expect(effective({ auth, allowedOrigins: ["https://a.example"] }).resolution).toMatchObject({
      configured: true,
      settings: { auth },
    })
  })

  it("is not configured, and says so, when the address is another than its secrets were sealed for", () => {
    const secrets = { secret_key: ["moved"], "auth.token": ["moved"] }
    expect(effective({}, { ...atA, secrets })).toMatchObject({
      problem: "address_changed",
      resolution: { configured: false, missing: ["secret_key", "auth.token"] },
    })
  })

  it.each([null, "", "no address", B])("sends nothing saved to an address that is bound to %p", (bound) => {
    const { resolution } = effective({}, { ...atA, bound_base_url: bound })
    expect(resolution).toMatchObject({ configured: false, missing: ["secret_key", "auth.token"] })
  })

  it("sends what was saved without an address to one that medusa-config has come to give", () => {
    const { base_url: _, ...options } = atA.options
    const { resolution } = effective({ baseUrl: A }, { ...atA, options, bound_base_url: null })
    expect(resolution).toMatchObject({ configured: true, settings: { auth: { token: "token" } } })
  })

  it("is not configured when a later release has saved an authentication that this one does not know", () => {
    const options = { ...atA.options, auth_type: "later" as "none" }
    expect(effective({}, { ...atA, options })).toMatchObject({
      resolution: { configured: false, missing: ["auth_type"] },
    })
  })

  it("is not configured, with the variable named, when a secret does not open", () => {
    const { resolution } = effective({}, { ...atA, secrets: { ...atA.secrets, secret_key: ["lost"] } })
    expect(resolution).toMatchObject({
      configured: false,
      missing: ["secret_key"],
      problem: expect.stringContaining("CRYPTO_PAYMENTS_ENCRYPTION_KEY"),
    })
  })
})
