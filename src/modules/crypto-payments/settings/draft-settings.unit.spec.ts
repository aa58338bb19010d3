import { Refused } from "../errors"
import { draftSettings } from "./draft-settings"
import type { EffectiveSettings } from "./effective-settings"
import { NOTHING_STORED, type SavedSettings } from "./settings-store"
import { A, atA, B, effective, opened } from "./example-settings.spec"
import type { SettingsInput } from "./settings-form"

function refusal(from: EffectiveSettings, form: SettingsInput): Refused["body"] {
  try {
    draftSettings(from, form)
  } catch (error) {
    if (error instanceof Refused) {
      return error.body
    }
    throw error
  }
  throw new Error("It was not refused.")
}

describe("draftSettings", () => {
  it("keeps what is left out or blank, and removes what is null", () => {
    const { stored } = draftSettings(effective(), {
      timeout_ms: 1000,
      secret_key: "",
      auth: { type: "bearer", token: "" },
    })
    expect(stored).toMatchObject({
      options: { base_url: A, timeout_ms: 1000 },
      secrets: opened(atA.secrets),
    })
    const removed = draftSettings(effective(), { base_url: null, secret_key: null, auth: null }).stored
    expect(removed).toMatchObject({ options: {}, secrets: {}, bound_base_url: A })
  })

  it("marks given secrets, and keeps former keys only when asked to", () => {
    const kept = draftSettings(effective(), { secret_key: "new", former_secret_keys: "keep" }).stored.secrets[
      "secret_key"
    ]
    expect(kept).toEqual(["new", "key"])
    expect(draftSettings(effective(), { secret_key: "new" }).stored.secrets["secret_key"]).toHaveLength(1)
    const two = effective({}, { ...atA, secrets: { ...atA.secrets, secret_key: ["sealed-2", "sealed-1"] } })
    expect(draftSettings(two, { former_secret_keys: "drop" }).stored.secrets["secret_key"]).toEqual(["2"])
  })

  it("drops the secrets of another type", () => {
    const { stored } = draftSettings(effective(), { auth: { type: "basic", username: "u", password: "p" } })
    expect(Object.keys(stored.secrets).sort()).toEqual(["auth.password", "secret_key"])
    expect(stored.options).toEqual({ base_url: A, auth_type: "basic", auth_username: "u" })
  })

  it("has the headers that are named, and keeps a blank one's value", () => {
    const stored: SavedSettings = {
      ...atA,
      options: { base_url: A, auth_type: "headers" },
      secrets: {
        secret_key: ["sealed-key"],
        "auth.headers.X-A": ["sealed-a"],
        "auth.headers.X-B": ["sealed-b"],
      },
    }
    const { secrets } = draftSettings(effective({}, stored), {
      auth: { type: "headers", headers: { "X-A": "", "X-C": "c" } },
    }).stored
    expect(Object.keys(secrets).sort()).toEqual(["auth.headers.X-A", "auth.headers.X-C", "secret_key"])
    expect(secrets["auth.headers.X-A"]).toEqual(["a"])
  })

  it.each([
    [
      "a field",
      { successUrl: "https://shop.example/r" },
      { success_url: "https://x.example" },
      ["success_url"],
    ],
    ["the secret key", { secretKey: "k" }, { secret_key: "x" }, ["secret_key"]],
    ["the type", { auth: { type: "none" } }, { auth: { type: "bearer", token: "x" } }, ["auth_type"]],
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

  it("takes what medusa-config gives when it is sent unchanged with what is saved", () => {
    const from = effective({ auth: { type: "basic", username: "u" } })
    const { stored } = draftSettings(from, { auth: { type: "basic", username: "u", password: "p" } })
    expect(stored.secrets["auth.password"]).toEqual(["p"])
  })

  describe("another origin", () => {
    it("asks for every secret again", () => {
      expect(refusal(effective(), { base_url: B })).toMatchObject({
        code: "secrets_required",
        fields: ["auth.token", "secret_key"],
      })
      expect(refusal(effective(), { base_url: B, secret_key: "new" })["fields"]).toEqual(["auth.token"])
    })

    it("does not ask for what medusa-config's authentication has replaced", () => {
      const saved = {
        ...atA,
        options: { base_url: A },
        secrets: { ...atA.secrets, "auth.password": ["sealed-p"] },
      }
      const config = {
        auth: { type: "headers", headers: { "X-A": "a" } },
        allowedOrigins: ["https://b.example"],
      }
      const { stored } = draftSettings(effective(config, saved), { base_url: B, secret_key: "new" })
      expect(stored.secrets).toEqual({ secret_key: ["new"] })
    })

    it("is taken with every secret given, and leaves the former one", () => {
      const { stored, leaves } = draftSettings(effective(), {
        base_url: B,
        secret_key: "new",
        former_secret_keys: "keep",
        auth: { type: "bearer", token: "t" },
      })
      expect(leaves).toBe("https://a.example")
      expect(stored.bound_base_url).toBe(B)
      expect(Object.values(stored.secrets).flat()).toEqual(["new", "t"])
    })

    it("is not smuggled in by removing the address first", () => {
      const { stored } = draftSettings(effective(), { base_url: null })
      const removed = { ...atA, options: stored.options, bound_base_url: stored.bound_base_url }
      expect(refusal(effective({}, removed), { base_url: B }).code).toBe("secrets_required")
    })

    it("asks for what was saved without an address, when the first one is typed", () => {
      const { base_url: _, ...options } = atA.options
      const nowhere = effective({}, { ...atA, options, bound_base_url: null })
      expect(refusal(nowhere, { base_url: B })).toMatchObject({
        code: "secrets_required",
        fields: ["auth.token", "secret_key"],
      })
      const given = { base_url: B, secret_key: "new", auth: { type: "bearer", token: "t" } } as const
      expect(draftSettings(nowhere, given).stored.bound_base_url).toBe(B)
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
        const { stored: next } = draftSettings(allowing, input)
        expect(next.options.base_url).toBe(B)
        // What was saved for the former address goes nowhere, although medusa-config gives it now.
        expect(Object.values(next.secrets).flat()).toEqual(["x"])
      }
    })

    it("is no other one with another path", () => {
      expect(draftSettings(effective(), { base_url: "https://a.example/api/v2" }).leaves).toBeNull()
    })
  })
})
