import { digestReference, normalizeReference } from "./reference"

const HASH = "0x9f86d081884c7d65"

describe("the form in which references of refunds are compared", () => {
  it.each([
    ["capitals", "0X9F86D081884C7D65"],
    ["surrounding blanks", " \t0x9f86d081884c7d65\u00a0\u3000"],
    ["a line break inside", "0x9f86d081\r\n884c7d65"],
    ["a zero-width space", "0x9f86\u200bd081884c7d65"],
    ["a soft hyphen", "0x9f86\u00add081884c7d65"],
    ["a byte order mark", "\ufeff0x9f86d081884c7d65"],
    ["a mark of writing direction", "\u202a0x9f86d081884c7d65\u202c"],
    ["a variation selector", "0x9f86d081884c7d65\ufe0f"],
    ["a Hangul filler", "0x9f86d081884c7d65\u3164"],
    ["full-width forms", "\uff10\uff589\uff26\uff186d081884c7d65"],
  ])("is the same with %s", (_what, spelling) => {
    expect(normalizeReference(spelling)).toBe(HASH)
    expect(digestReference(spelling)).toBe(digestReference(HASH))
  })

  it.each(["TICKET\u20117", "ticket-\u0667", "TICKET\u2212\u06f7", "TICKET-\u28007"])(
    "is the same for a hyphen or a digit of another kind: %s",
    (spelling) => {
      expect(normalizeReference(spelling)).toBe("ticket-7")
    }
  )

  it("is the same for an accent that is a character of its own, and for one behind a zero-width character", () => {
    expect(normalizeReference("Rückzahlung")).toBe("rückzahlung")
    expect(normalizeReference("Ru\u0308ckzahlung")).toBe("rückzahlung")
    expect(normalizeReference("Ru\u200b\u0308ckzahlung")).toBe("rückzahlung")
  })

  it.each([
    ["another digit", "0x9f86d081884c7d66"],
    ["one character less", "0x9f86d081884c7d6"],
    ["a hyphen", "0x9f86d081884c7d6-5"],
    ["another script's letter", "0\u04459f86d081884c7d65"],
  ])("differs with %s", (_what, other) => {
    expect(digestReference(other)).not.toBe(digestReference(HASH))
  })

  it("is empty if nothing can be seen", () => {
    expect(normalizeReference(" \u200b\u2060\ufe0f")).toBe("")
  })

  it("has a digest of one length, however long the reference grows", () => {
    expect(digestReference("\ufdfa".repeat(1000))).toHaveLength(64)
  })
})
