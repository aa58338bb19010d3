import { toPlainDecimal } from "./plain-decimal"

// Display data: fields of a payment record that decide nothing. None of them may keep a PAID from being recorded, so
// each is read on its own and made storable: Postgres refuses NUL in a text, lone surrogates in jsonb, and more than
// about 2700 bytes in an index.

/** The most characters that are kept of each text. `note` is our payment session's id, 33 characters. */
export const TEXT_LIMITS = {
  note: 500,
  payer_email_address: 320,
  payer_first_name: 200,
  payer_last_name: 200,
  payment_currency: 64,
  fee_paid_by: 64,
  // Meaning and unit are not shown by the interface, so neither is its form.
  paid_amount: 200,
  ref_id: 200,
  payment_status: 64,
} as const

/** A link is kept whole or not at all: a part of one leads somewhere else. */
const MAX_LINK_CHARACTERS = 4096
/** Most fields that the interface does not list, and the most characters and levels of each. */
const ADDITIONAL = { fields: 50, characters: 500, depth: 4 }
/** A JSON number with more digits may have lost some before it was written. */
const SAFE_DIGITS = 15

const NUL_OR_LONE_SURROGATE = /\0|\p{Surrogate}/gu

/** A display value, and whether it says all that the gateway sent. */
export interface DisplayValue {
  value: string | null
  isWhole: boolean
}

const NOTHING: DisplayValue = { value: null, isWhole: true }
const NOT_UNDERSTOOD: DisplayValue = { value: null, isWhole: false }

/** Whether a text can be stored as it is. */
export function isStorable(text: string): boolean {
  return text.search(NUL_OR_LONE_SURROGATE) === -1
}

/**
 * A text without NUL and lone surrogates, cut to `limit` characters; a number becomes text if it has all its digits.
 */
export function readText(received: unknown, limit: number): DisplayValue {
  const text = textOf(received)
  if (text === undefined) {
    return received === null || received === undefined ? NOTHING : NOT_UNDERSTOOD
  }
  const value = storable(text, limit, "")
  return { value, isWhole: value === text }
}

/** A decimal in plain form. An empty text is no value. */
export function readDecimal(received: unknown): DisplayValue {
  const text = textOf(received)
  if (text === undefined || text === "") {
    return received === null || received === undefined || text === "" ? NOTHING : NOT_UNDERSTOOD
  }
  const value = toPlainDecimal(text)
  return value === undefined ? NOT_UNDERSTOOD : { value, isWhole: true }
}

/** A link, whole. */
export function readLink(received: unknown): DisplayValue {
  const link = readText(received, MAX_LINK_CHARACTERS)
  return link.isWhole ? link : NOT_UNDERSTOOD
}

/**
 * A status word to show. What cannot be stored is replaced and not removed, so that a word which is not PAID never
 * looks like it.
 */
export function readStatusWord(received: string): DisplayValue & { value: string } {
  const value = storable(received, TEXT_LIMITS.payment_status, "\ufffd")
  return { value, isWhole: value === received }
}

/** Fields that the interface does not list, bounded and storable as JSON. */
export function readAdditionalFields(fields: Record<string, unknown>): Record<string, unknown> {
  return readObject(fields, ADDITIONAL.depth)
}

function readObject(object: object, depth: number): Record<string, unknown> {
  const entries = Object.entries(object)
    .slice(0, ADDITIONAL.fields)
    .map(([name, value]) => [storable(name, ADDITIONAL.characters, ""), readJson(value, depth - 1)] as const)
  return Object.fromEntries(entries.filter(([name]) => name !== "__proto__"))
}

function readJson(value: unknown, depth: number): unknown {
  if (typeof value === "string") {
    return storable(value, ADDITIONAL.characters, "")
  }
  if (typeof value !== "object") {
    return value
  }
  // A recursion without an end would throw, and lose the record.
  if (value === null || depth === 0) {
    return null
  }
  return Array.isArray(value)
    ? value.slice(0, ADDITIONAL.fields).map((each) => readJson(each, depth - 1))
    : readObject(value, depth)
}

function textOf(received: unknown): string | undefined {
  if (typeof received === "string") {
    return received
  }
  if (typeof received !== "number" || !Number.isFinite(received)) {
    return undefined
  }
  const text = String(received)
  const digits = (text.split("e")[0] ?? "").replace(/\D/g, "").replace(/^0+/, "")
  return digits.length <= SAFE_DIGITS ? text : undefined
}

function storable(text: string, limit: number, replacement: string): string {
  // A character is at most two units: only so much of a megabyte is looked at. What is removed leaves room unfilled.
  const clean = text.slice(0, limit * 2).replace(NUL_OR_LONE_SURROGATE, replacement)
  return clean.length <= limit ? clean : [...clean].slice(0, limit).join("")
}
