import { FIATS } from "./coins"
import { formatDecimal, parseDecimal } from "./decimal"
import { isHttpUrl, Refused } from "./http"

export interface CreateInput {
  currencySymbol: string
  /** 14 fractional digits. */
  amount: string
  ipnSuccessUrl: string
  ipnFailedUrl: string
  payerEmailAddress: string
  payerFirstName: string | null
  payerLastName: string | null
  note: string | null
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** @throws Refused 422 naming the first field that breaks the interface's create table */
export function validateCreate(body: Record<string, unknown>): CreateInput {
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
    ipnSuccessUrl: url(body, "ipn_success_url"),
    ipnFailedUrl: url(body, "ipn_failed_url"),
    payerEmailAddress: email(body),
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

function url(body: Record<string, unknown>, name: string): string {
  const value = required(body, name)
  if (!isHttpUrl(value)) {
    throw new Refused(422, `${name} must be an http or https address`)
  }
  return value
}

function email(body: Record<string, unknown>): string {
  const value = required(body, "payer_email_address")
  if (!EMAIL.test(value)) {
    throw new Refused(422, "payer_email_address must be an e-mail address")
  }
  return value
}
