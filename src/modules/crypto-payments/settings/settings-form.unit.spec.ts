import { Refused } from "../errors"
import { AdminSaveCryptoSettings, parseSettings } from "./settings-form"

const parse = (form: object): unknown => parseSettings(AdminSaveCryptoSettings, { version: 0, ...form })

function refusalOf(form: object): Refused {
  try {
    parse(form)
  } catch (error) {
    if (error instanceof Refused) {
      return error
    }
    throw error
  }
  throw new Error("It was not refused.")
}

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
