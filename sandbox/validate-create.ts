import { FIATS } from "./coins"
import { formatDecimal, parseDecimal } from "./decimal"
import { isHttpUrl, Refused } from "./http"

export type CreateInput = ReturnType<typeof validateCreate>

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

/** @throws Refused 422 naming the first field that breaks the interface's create table */
export function validateCreate(body: Record<string, unknown>) {
  const currencySymbol = required(body, "symbol")
  if (!(FIATS as readonly string[]).includes(currencySymbol)) {
    throw new Refused(422, `symbol must be one of ${FIATS.join(", ")}`)
  }
  const amount = parseDecimal(required(body, "amount"))
  if (amount === undefined || amount === 0n) {
    throw new Refused(422, "amount must be a plain decimal string above 0, for example 20.01")
  }
  return {
    currencySymbol,
    amount: formatDecimal(amount),
    ipnSuccessUrl: fitting(body, "ipn_success_url", "an http or https address", isHttpUrl),
    ipnFailedUrl: fitting(body, "ipn_failed_url", "an http or https address", isHttpUrl),
    payerEmailAddress: fitting(body, "payer_email_address", "an e-mail address", isEmail),
    payerFirstName: optional(body, "payer_first_name"),
    payerLastName: optional(body, "payer_last_name"),
    note: optional(body, "note"),
  }
}

function required(body: Record<string, unknown>, name: string): string {
  const value = body[name]
  if (value === undefined || value === null || value === "") {
    throw new Refused(422, `${name} is required`)
  }
  if (typeof value !== "string") {
    throw new Refused(422, `${name} must be a string`)
  }
  return value
}

function optional(body: Record<string, unknown>, name: string): string | null {
  const value = body[name] ?? null
  if (value !== null && typeof value !== "string") {
    throw new Refused(422, `${name} must be a string or null`)
  }
  return value
}

function fitting(
  body: Record<string, unknown>,
  name: string,
  what: string,
  fits: (text: string) => boolean
): string {
  const value = required(body, name)
  if (!fits(value)) {
    throw new Refused(422, `${name} must be ${what}`)
  }
  return value
}
