import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { AdminSaveCryptoSettings, validateSettings } from "./settings-validators"

async function validate(body: unknown) {
  const answer: { status?: number; body?: unknown } = {}
  const res = {
    status: (status: number) => {
      answer.status = status
      return { json: (json: unknown) => (answer.body = json) }
    },
  }
  const next = jest.fn()
  const req = Object.assign(new IncomingMessage(new Socket()), { body }) as unknown as MedusaRequest
  validateSettings(AdminSaveCryptoSettings)(req, res as unknown as MedusaResponse, next)
  return { answer, next, req }
}

describe("validateSettings", () => {
  it.each([
    [{ timeout_ms: 10 }, ["timeout_ms"]],
    [{ base_url: "gateway", success_url: "x" }, ["base_url", "success_url"]],
    [{ secret_key: "a\nb" }, ["secret_key"]],
    [{ secret_key: "a\u2028b" }, ["secret_key"]],
    [{ secret_key: "x".repeat(4097) }, ["secret_key"]],
    [{ auth: { type: "bearer", token: "a\nb" } }, ["auth.token"]],
    [{ auth: { type: "basic", username: "a\u200bb" } }, ["auth_username"]],
    [{ auth: { type: "basic", username: 1 } }, ["auth_username"]],
    [{ auth: { type: "headers", headers: { "bad name": "x" } } }, ["auth.headers.bad name"]],
    [{ auth: { type: "magic" } }, ["auth_type"]],
    [{ foreign: true }, []],
  ])("names the fields that are wrong: %j", async (settings, fields) => {
    const { answer, next } = await validate({ version: 0, ...settings })
    expect(answer).toMatchObject({ status: 400, body: { type: "invalid_data", code: "invalid", fields } })
    expect(next).not.toHaveBeenCalled()
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
  ])("says why and quotes no value: %j", async (settings, message) => {
    const { answer } = await validate({ version: 0, ...settings })
    expect(answer.body).toMatchObject({ message: `Invalid request: ${message}` })
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
  ])("takes what is around a secret away: %j", async (given, taken) => {
    const { req } = await validate({ version: 0, ...given })
    expect(req.validatedBody).toEqual({ version: 0, ...taken })
  })

  it("lets a good body through", async () => {
    const { answer, next, req } = await validate({ version: 0, timeout_ms: 900 })
    expect(answer).toEqual({})
    expect(next).toHaveBeenCalledTimes(1)
    expect(req.validatedBody).toEqual({ version: 0, timeout_ms: 900 })
  })
})
