import { toPlainDecimal } from "./plain-decimal"

// Display data: fields of a payment record that decide nothing. None of them may keep a PAID from being recorded. So
// each is read separately and made storable: Postgres refuses NUL in a text, lone surrogates in jsonb, and more than
// about 2700 bytes in an index.

/** A link is kept whole or not at all: a part of a link leads somewhere else. */
const MAX_LINK_CHARACTERS = 4096

const NUL_OR_LONE_SURROGATE = /\0|\p{Surrogate}/gu

/** Whether Postgres takes it: it refuses NUL in a text, and half of a surrogate pair in jsonb. */
export function isStorable(text: string): boolean {
  return text.search(NUL_OR_LONE_SURROGATE) === -1
}

/** A text without NUL and lone surrogates, or with `replacement` for them, cut to `limit` characters. */
export function storable(text: string, limit: number, replacement = ""): string {
  // A character has at most two units, so this much of a megabyte is enough.
  const clean = text.slice(0, limit * 2).replace(NUL_OR_LONE_SURROGATE, replacement)
  return clean.length <= limit ? clean : [...clean].slice(0, limit).join("")
}

/** A storable text. A JSON number becomes text; anything else is no value. */
export function readText(received: unknown, limit: number): string | null {
  const text = typeof received === "number" ? String(received) : received
  return typeof text === "string" ? storable(text, limit) : null
}

export function readDecimal(received: unknown): string | null {
  return toPlainDecimal(readText(received, MAX_LINK_CHARACTERS) ?? "") ?? null
}

export function readLink(received: unknown): string | null {
  const link = readText(received, MAX_LINK_CHARACTERS)
  return link === received ? link : null
}
