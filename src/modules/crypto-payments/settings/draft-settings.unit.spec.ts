import { draftSettings, givenSecret, type SettingsDraft } from "./draft-settings"
import { resolveEffective, type EffectiveSettings } from "./effective-settings"
import { providerOptionsSchema } from "./options-schema"
import type { SettingsInput, SettingsRefusal } from "./settings-input"
import { NOTHING_STORED, type StoredSettings } from "./stored-settings"

const A = "https://a.example/api/v1"
const B = "https://b.example/api/v1"
const urls = { successUrl: "https://shop.example/r", failedUrl: "https://shop.example/f" }

const atA: StoredSettings = {
  version: 3,
  updated_at: null,
  plain: { base_url: A, auth_type: "bearer" },
  secrets: { secret_key: ["sealed-key"], "auth.token": ["sealed-token"] },
  bound_base_url: A,
}

/** Sealed texts open as themselves, but for one that no key opens and one that was sealed for something else. */
function effective(config: Record<string, unknown> = {}, stored: StoredSettings = atA): EffectiveSettings {
  const options = { ...urls, ...config }
  const registration = {
    providerId: "pp_crypto_default",
    options: providerOptionsSchema.parse(options),
    given: new Set(Object.keys(options)),
  }
  return resolveEffective(registration, stored, (text) =>
    text === "lost" ? undefined : text === "moved" ? null : text.replace("sealed-", "")
  )
}

function draft(from: EffectiveSettings, input: SettingsInput): SettingsDraft {
  const drafted = draftSettings(from, input)
  if ("refusal" in drafted) {
    throw new Error(drafted.refusal.message)
  }
  return drafted.draft
}

function refusal(from: EffectiveSettings, input: SettingsInput): SettingsRefusal | undefined {
  const drafted = draftSettings(from, input)
  return "refusal" in drafted ? drafted.refusal : undefined
}

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
    expect(secrets.get("secret_key")).toMatchObject({ source: "config", locked: true })
    expect(secrets.get("auth.token")).toMatchObject({ source: "stored", locked: false })
  })

  it("uses a saved token with the type medusa-config gives", () => {
    expect(effective({ auth: { type: "bearer" } }).resolution).toMatchObject({
      settings: { auth: { type: "bearer", token: "token" } },
    })
  })

  it("does not send saved secrets to another origin that medusa-config has come to give", () => {
    const { resolution, problem } = effective({ baseUrl: B })
    expect(resolution).toMatchObject({ configured: false, missing: ["secretKey", "auth.token"] })
    expect(problem).toContain("another gateway address")
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
    const { resolution, problem, problemCode } = effective(config)
    expect(resolution).toMatchObject({ configured: false, missing: ["secretKey", "auth.token"], problem })
    expect([problemCode, problem]).toEqual(["address_not_allowed", expect.stringContaining("allowedOrigins")])
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
      problemCode: "address_not_allowed",
      resolution: { configured: false, missing: ["auth"] },
    })
    expect(effective({ auth, allowedOrigins: ["https://a.example"] }).resolution).toMatchObject({
      configured: true,
      settings: { auth },
    })
  })

  it("is not configured, and says so, when the address is another than its secrets were sealed for", () => {
    const secrets = { secret_key: ["moved"], "auth.token": ["moved"] }
    expect(effective({}, { ...atA, secrets })).toMatchObject({
      problemCode: "address_changed",
      resolution: { configured: false, missing: ["secretKey", "auth.token"] },
    })
  })

  it.each([null, "", "no address", B])("sends nothing saved to an address that is bound to %p", (bound) => {
    const { resolution } = effective({}, { ...atA, bound_base_url: bound })
    expect(resolution).toMatchObject({ configured: false, missing: ["secretKey", "auth.token"] })
  })

  it("sends what was saved without an address to one that medusa-config has come to give", () => {
    const { base_url: _, ...plain } = atA.plain
    const { resolution } = effective({ baseUrl: A }, { ...atA, plain, bound_base_url: null })
    expect(resolution).toMatchObject({ configured: true, settings: { auth: { token: "token" } } })
  })

  it("is not configured, with the variable named, when a secret does not open", () => {
    const { resolution } = effective({}, { ...atA, secrets: { ...atA.secrets, secret_key: ["lost"] } })
    expect(resolution).toMatchObject({
      configured: false,
      missing: ["secretKey"],
      problem: expect.stringContaining("CRYPTO_PAYMENTS_ENCRYPTION_KEY"),
    })
  })
})

describe("draftSettings", () => {
  it("keeps what is left out or blank, and removes what is null", () => {
    const { stored } = draft(effective(), {
      timeout_ms: 1000,
      secret_key: "",
      auth: { type: "bearer", token: "" },
    })
    expect(stored).toMatchObject({ plain: { base_url: A, timeout_ms: 1000 }, secrets: atA.secrets })
    const removed = draft(effective(), { base_url: null, secret_key: null, auth: null }).stored
    expect(removed).toMatchObject({ plain: {}, secrets: {}, bound_base_url: A })
  })

  it("marks given secrets, and keeps former keys only when asked to", () => {
    const kept = draft(effective(), { secret_key: "new", former_secret_keys: "keep" }).stored.secrets[
      "secret_key"
    ]
    expect(kept?.map((text) => givenSecret(text) ?? text)).toEqual(["new", "sealed-key"])
    expect(draft(effective(), { secret_key: "new" }).stored.secrets["secret_key"]).toHaveLength(1)
    const two = effective({}, { ...atA, secrets: { ...atA.secrets, secret_key: ["sealed-2", "sealed-1"] } })
    expect(draft(two, { former_secret_keys: "drop" }).stored.secrets["secret_key"]).toEqual(["sealed-2"])
  })

  it("drops the secrets of another type", () => {
    const { stored } = draft(effective(), { auth: { type: "basic", username: "u", password: "p" } })
    expect(Object.keys(stored.secrets).sort()).toEqual(["auth.password", "secret_key"])
    expect(stored.plain).toMatchObject({ auth_type: "basic", auth_username: "u" })
  })

  it("has the headers that are named, and keeps a blank one's value", () => {
    const stored = {
      ...atA,
      plain: { base_url: A, auth_type: "headers" as const },
      secrets: {
        secret_key: ["sealed-key"],
        "auth.headers.X-A": ["sealed-a"],
        "auth.headers.X-B": ["sealed-b"],
      },
    }
    const { secrets } = draft(effective({}, stored), {
      auth: { type: "headers", headers: { "X-A": "", "X-C": "c" } },
    }).stored
    expect(Object.keys(secrets).sort()).toEqual(["auth.headers.X-A", "auth.headers.X-C", "secret_key"])
    expect(secrets["auth.headers.X-A"]).toEqual(["sealed-a"])
  })

  it.each([
    [
      "a field",
      { successUrl: "https://shop.example/r" },
      { success_url: "https://x.example" },
      ["success_url"],
    ],
    ["the secret key", { secretKey: "k" }, { secret_key: "x" }, ["secret_key"]],
    ["the type", { auth: { type: "none" } }, { auth: { type: "bearer", token: "x" } }, ["auth.type"]],
    [
      "a token",
      { auth: { type: "bearer", token: "t" } },
      { auth: { type: "bearer", token: "x" } },
      ["auth.token"],
    ],
    [
      "a header's name",
      { auth: { type: "headers", headers: { "X-A": "a" } } },
      { auth: { type: "headers", headers: { "X-B": "b" } } },
      ["auth.headers.X-B"],
    ],
    [
      "a username",
      { auth: { type: "basic", username: "u" } },
      { auth: { type: "basic", username: "x" } },
      ["auth_username"],
    ],
  ] as [string, Record<string, unknown>, SettingsInput, string[]][])(
    "refuses to change %s that medusa-config gives",
    (_, config, input, fields) => {
      expect(refusal(effective(config), input)).toMatchObject({ code: "locked", fields })
    }
  )

  describe("another origin", () => {
    it("asks for every secret again", () => {
      expect(refusal(effective(), { base_url: B })).toMatchObject({
        code: "secrets_required",
        fields: ["auth.token", "secret_key"],
      })
      expect(refusal(effective(), { base_url: B, secret_key: "new" })?.fields).toEqual(["auth.token"])
    })

    it("is taken with every secret given, and leaves the former one", () => {
      const { stored, leaves } = draft(effective(), {
        base_url: B,
        secret_key: "new",
        former_secret_keys: "keep",
        auth: { type: "bearer", token: "t" },
      })
      expect(leaves).toEqual({ origin: "https://a.example", baseUrl: A })
      expect(stored.bound_base_url).toBe(B)
      expect(Object.values(stored.secrets).flat().map(givenSecret).sort()).toEqual(["new", "t"])
    })

    it("is not smuggled in by removing the address first", () => {
      const removed = draft(effective(), { base_url: null }).stored
      expect(refusal(effective({}, removed), { base_url: B })?.code).toBe("secrets_required")
    })

    it.each([
      ["secret key", { secretKey: "k" }, "secret_key"],
      ["token", { auth: { type: "bearer", token: "t" } }, "auth.token"],
      ["function", { auth: () => ({}) }, "auth"],
    ])("never gets medusa-config's %s, but if medusa-config allows it", (_, config, name) => {
      const given = { secret_key: "x", auth: { type: "bearer", token: "x" } } as const
      const input = {
        base_url: B,
        ...("auth" in config ? { secret_key: given.secret_key } : { auth: given.auth }),
      }
      for (const stored of [atA, NOTHING_STORED]) {
        expect(refusal(effective(config, stored), input)).toMatchObject({
          code: "origin_not_allowed",
          fields: ["base_url"],
          message: expect.stringContaining(name),
        })
        const allowing = effective({ ...config, allowedOrigins: ["https://b.example"] }, stored)
        const { stored: next } = draft(allowing, input)
        expect(next.plain.base_url).toBe(B)
        // What was saved for the former address goes nowhere, although medusa-config gives it now.
        expect(
          Object.values(next.secrets)
            .flat()
            .map((text) => givenSecret(text))
        ).toEqual(["x"])
      }
    })

    it("is no other one with another path", () => {
      expect(draft(effective(), { base_url: "https://a.example/api/v2" }).leaves).toBeNull()
    })
  })
})
