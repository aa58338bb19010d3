import { createHash } from "node:crypto"
import { latinDigits } from "../latin-digits"

/**
 * Blanks, line ends and what shows nothing on a screen: format and control characters, fillers, variation selectors,
 * and the empty Braille pattern.
 */
const UNSEEN = /[\s\u2800\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu
/** Hyphens, dashes and the minus sign. */
const DASH = /[\u2212\p{Pd}]/gu

/**
 * The form in which references of refunds are compared: NFKC, without blanks and characters that show nothing, with
 * Latin digits and one kind of hyphen, in lower case.
 *
 * A copied transaction hash can have other capitals, full-width forms, a zero-width character or a line break, and a
 * number may be typed on an Arabic keyboard: it is still the same refund. If it counted as another one, the refund
 * would be booked twice, and nothing would say so. In the reverse case, two refunds whose references differ in nothing
 * else, the second one is not booked and the answer says so. The merchant then gives it a reference of its own.
 *
 * @returns empty if nothing of the reference can be seen
 */
export function normalizeReference(reference: string): string {
  // What is left out can have stood between a letter and its accent.
  const seen = reference.normalize("NFKC").replace(UNSEEN, "").replace(DASH, "-")
  return latinDigits(seen).toLowerCase().normalize("NFKC")
}

/** Made in the code and not by Postgres, whose `lower` depends on the collation. Of a fixed length, for the index. */
export function digestReference(reference: string): string {
  return createHash("sha256").update(normalizeReference(reference)).digest("hex")
}
