import { Refused } from "../errors"
import { NOTHING_STORED, type EffectiveSettings, type StoredSettings } from "./effective-settings"
import { A, atA, B, effective } from "./example-settings.spec"
import { AdminSaveCryptoSettings, draftSettings, parseSettings, type SettingsInput } from "./settings-form"

const parse = (form: object): unknown => parseSettings(AdminSaveCryptoSettings, { version: 0, ...form })

function refused(act: () => unknown): Refused {
  try {
    act()
  } catch (error) {
    if (error instanceof Refused) {
      return error
    }
    throw error
  }
  throw new Error("It was not refused.")
}

const refusalOf = (form: object): Refused => refused(() => parse(form))
const draftRefusal = (from: EffectiveSettings, form: SettingsInput): Refused["body"] =>
  refused(() => draftSettings(from, form)).body

describe("parseSettings", () => {
  it.each([
    [{ timeout_ms: 10 }, ["timeout_ms"]],
    [{ base_url: "gateway", success_url: "x" }, ["base_url", "success_url"]],
    [{ success_url: "https://shop.example/\nr", failed_url: "https:shop" }, ["success_url", "failed_url"]],
    [{ secret_key: "a\nb" }, ["secret_key"]],
    [{ secret_key: "a\u2028b" }, ["secret_key"]],
    [{ secret_key: "x".repeat(4097) }, ["secret_key"]],
    [{ auth: { type: "bearer", token: "a\nb" } }, ["auth.token"]],
    [{ auth: { type: "basic", username: "a\u200bb" } }, ["auth_username"]],
    [{ auth: { type: "basic", username: 1 } }, ["auth_username"]],
    [{ auth: { type: "headers", headers: { "bad name": "x" } } }, ["auth.headers.bad name"]],
    [{ auth: { type: "magic" } }, ["auth_type"]],
    [{ foreign: true }, []],
  ])("names the fields that are wrong: %j", (settings, fields) => {
    expect(refusalOf(settings)).toMatchObject({ status: 400, body: { code: "invalid", fields } })
  })

  it("keeps a host of payment links once, however often it is given", () => {
    const payment_link_hosts = ["pay.example", "links.example", "PAY.example"]
    expect(parse({ payment_link_hosts })).toMatchObject({
      payment_link_hosts: ["pay.example", "links.example"],
    })
  })

  it.each([
    [{ version: "hidden" }, "version: Invalid input: expected number, received string"],
    [{ secret_key: "hid\nden" }, "secret_key: must have no line break and no invisible character"],
    [{ secret_key: ["hidden"] }, "secret_key: Invalid input: expected string, received array"],
    [{ auth: { type: "hidden" } }, "auth.type: Invalid input"],
    [
      { auth: { type: "bearer", token: { hidden: 1 } } },
      "auth.token: Invalid input: expected string, received object",
    ],
    [
      { order_placement: "hidden" },
      'order_placement: Invalid option: expected one of "after_payment"|"before_payment"',
    ],
    [{ base_url: "http://hidden.example" }, "base_url: must be https (http only on loopback)"],
    [{ foreign: "hidden" }, 'Unrecognized key: "foreign"'],
  ])("says why and quotes no value: %j", (settings, message) => {
    expect(refusalOf(settings).message).toBe(`Invalid request: ${message}`)
  })

  it.each([
    [{ secret_key: " key " }, { secret_key: "key" }],
    [{ secret_key: "\u00a0key\u2028" }, { secret_key: "key" }],
    [{ secret_key: "key\r\n" }, { secret_key: "key" }],
    [{ secret_key: " \n" }, { secret_key: "" }],
    [{ secret_key: null }, { secret_key: null }],
    [
      { auth: { type: "basic", username: " u ", password: "p " } },
      { auth: { type: "basic", username: "u", password: "p" } },
    ],
    [
      { auth: { type: "headers", headers: { "x-key": " k\n" } } },
      { auth: { type: "headers", headers: { "x-key": "k" } } },
    ],
  ])("takes what is around a secret away: %j", (given, taken) => {
    expect(parse(given)).toEqual({ version: 0, ...taken })
  })

  it("lets a good body through", () => {
    expect(parse({ timeout_ms: 900 })).toEqual({ version: 0, timeout_ms: 900 })
  })
})

describe("draftSettings", () => {
  it("keeps what is left out or blank, and removes what is null", () => {
    const { stored } = draftSettings(effective(), {
      timeout_ms: 1000,
      secret_key: "",
      auth: { type: "bearer", token: "" },
    })
    expect(stored).toMatchObject({
      values: { base_url: A, timeout_ms: 1000 },
      secrets: atA.secrets,
    })
    const removed = draftSettings(effective(), { base_url: null, secret_key: null, auth: null }).stored
    expect(removed).toMatchObject({ values: {}, secrets: {} })
  })

  it("goes on accepting the one secret key before a new one, and no former token", () => {
    const two = effective({}, { ...atA, secrets: { ...atA.secrets, secret_key: ["2", "1"] } })
    const { secrets } = draftSettings(two, { secret_key: "3", auth: { type: "bearer", token: "t" } }).stored
    expect(secrets).toEqual({ secret_key: ["3", "2"], "auth.token": ["t"] })
    const lost = { sealed: "v1.text", problem: "unreadable" as const }
    const unread = effective({}, { ...atA, secrets: { secret_key: [lost] } })
    expect(draftSettings(unread, { secret_key: "3" }).stored.secrets["secret_key"]).toEqual(["3"])
  })

  it("drops the secrets of another type", () => {
    const { stored } = draftSettings(effective(), { auth: { type: "basic", username: "u", password: "p" } })
    expect(Object.keys(stored.secrets).sort()).toEqual(["auth.password", "secret_key"])
    expect(stored.values).toEqual({ base_url: A, auth_type: "basic", auth_username: "u" })
  })

  it("has the headers that are named, and keeps a blank one's value", () => {
    const stored: StoredSettings = {
      ...atA,
      values: { base_url: A, auth_type: "headers" },
      secrets: {
        secret_key: ["key"],
        "auth.headers.X-A": ["a"],
        "auth.headers.X-B": ["b"],
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
      expect(draftRefusal(effective(config), input)).toMatchObject({ code: "locked", fields })
    }
  )

  it("takes what medusa-config gives when it is sent unchanged with what is saved", () => {
    const from = effective({ auth: { type: "basic", username: "u" } })
    const { stored } = draftSettings(from, { auth: { type: "basic", username: "u", password: "p" } })
    expect(stored.secrets["auth.password"]).toEqual(["p"])
  })

  describe("another origin", () => {
    it("asks for every secret again", () => {
      expect(draftRefusal(effective(), { base_url: B })).toMatchObject({
        code: "secrets_required",
        fields: ["auth.token", "secret_key"],
      })
      expect(draftRefusal(effective(), { base_url: B, secret_key: "new" })["fields"]).toEqual(["auth.token"])
    })

    it("does not ask for what medusa-config's authentication has replaced", () => {
      const saved = {
        ...atA,
        values: { base_url: A },
        secrets: { ...atA.secrets, "auth.password": ["p"] },
      }
      const config = {
        auth: { type: "headers", headers: { "X-A": "a" } },
        allowedOrigins: ["https://b.example"],
      }
      const { stored } = draftSettings(effective(config, saved), { base_url: B, secret_key: "new" })
      expect(stored.secrets).toEqual({ secret_key: ["new"] })
    })

    it("is taken with every secret given", () => {
      const { stored } = draftSettings(effective(), {
        base_url: B,
        secret_key: "new",
        auth: { type: "bearer", token: "t" },
      })
      expect(Object.values(stored.secrets).flat()).toEqual(["new", "t"])
    })

    it("is not smuggled in by removing the address first", () => {
      const { stored } = draftSettings(effective(), { base_url: null })
      const removed = { ...atA, values: stored.values }
      expect(draftRefusal(effective({}, removed), { base_url: B }).code).toBe("secrets_required")
    })

    it("asks for what was saved without an address, when the first one is typed", () => {
      const { base_url: _, ...values } = atA.values
      const nowhere = effective({}, { ...atA, values })
      expect(draftRefusal(nowhere, { base_url: B })).toMatchObject({
        code: "secrets_required",
        fields: ["auth.token", "secret_key"],
      })
      const given = { base_url: B, secret_key: "new", auth: { type: "bearer", token: "t" } } as const
      expect(draftSettings(nowhere, given).stored.values.base_url).toBe(B)
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
      const { base_url: _address, ...values } = atA.values
      for (const stored of [atA, { ...atA, values }, NOTHING_STORED]) {
        expect(draftRefusal(effective(config, stored), input)).toMatchObject({
          code: "origin_not_allowed",
          fields: ["base_url"],
          message: expect.stringContaining(name),
        })
        const allowing = effective({ ...config, allowedOrigins: ["https://b.example"] }, stored)
        const { stored: next } = draftSettings(allowing, input)
        expect(next.values.base_url).toBe(B)
        // What was saved for the former address goes nowhere, although medusa-config gives it now.
        expect(Object.values(next.secrets).flat()).toEqual(["x"])
      }
    })

    it("is no other one with another path", () => {
      const { stored } = draftSettings(effective(), { base_url: "https://a.example/api/v2" })
      expect(stored.secrets).toEqual(atA.secrets)
    })
  })
})
