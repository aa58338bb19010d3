import fc from "fast-check"
import "../property-seed.spec"
import { approvalHash, verifyApprovalHash } from "./approval-hash"
import { KEY, nulls, paid, UNPAID_DIGEST, UNPAID_DIGEST_OLD_KEY, vectors } from "./approval-hash-vectors.spec"

describe("verifyApprovalHash", () => {
  it.each(vectors)("accepts $name", ({ data, digest }) => {
    expect(verifyApprovalHash(data, digest, KEY)).toBe(true)
  })

  it("accepts a digest in upper case", () => {
    expect(verifyApprovalHash(paid.data, paid.digest.toUpperCase(), KEY)).toBe(true)
  })

  it.each(["sandbox-secret-key", "old-secret-key"])("accepts any key of a list (%s)", (key) => {
    const digest = key === KEY ? UNPAID_DIGEST : UNPAID_DIGEST_OLD_KEY
    expect(verifyApprovalHash({ status: "UNPAID" }, digest, [KEY, "old-secret-key"])).toBe(true)
  })

  it("refuses a key that is not in the list", () => {
    expect(verifyApprovalHash({ status: "UNPAID" }, UNPAID_DIGEST_OLD_KEY, [KEY, "new-secret-key"])).toBe(
      false
    )
  })

  it("refuses a digest with one digit changed, at every place", () => {
    for (let place = 0; place < 64; place += 1) {
      const digit = paid.digest[place] === "0" ? "1" : "0"
      const changed = `${paid.digest.slice(0, place)}${digit}${paid.digest.slice(place + 1)}`
      expect(verifyApprovalHash(paid.data, changed, KEY)).toBe(false)
    }
  })

  it.each(Object.keys(paid.data))("refuses data whose %s was changed", (name) => {
    expect(verifyApprovalHash({ ...paid.data, [name]: "changed" }, paid.digest, KEY)).toBe(false)
  })

  it("refuses data from which a field was taken", () => {
    const { status: _status, ...rest } = paid.data
    expect(verifyApprovalHash(rest, paid.digest, KEY)).toBe(false)
  })

  it("refuses data to which a field was added", () => {
    expect(verifyApprovalHash({ ...paid.data, added: "x" }, paid.digest, KEY)).toBe(false)
  })

  it.each([
    ["63 digits", paid.digest.slice(1)],
    ["65 digits", `${paid.digest}0`],
    ["a line break at the end", `${paid.digest}\n`],
    ["no hex", `${paid.digest.slice(0, 63)}g`],
    ["nothing", ""],
    ["null", null],
    ["undefined", undefined],
    ["a number", 1],
    ["a list holding the digest", [paid.digest]],
    ["an object that prints as the digest", { toString: () => paid.digest }],
  ])("refuses an approval hash of %s", (_what, hash) => {
    expect(verifyApprovalHash(paid.data, hash, KEY)).toBe(false)
  })

  const EMPTY = nulls.digest
  it.each<[string, unknown]>([
    ["null", null],
    ["undefined", undefined],
    ["a string", ""],
    ["a number", 0],
    ["a list", []],
    ["a Map", new Map()],
    ["a Date", new Date(0)],
    ["a function", () => null],
    ["an object without prototype", Object.create(null)],
    [
      "a proxy that throws",
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("trap")
          },
        }
      ),
    ],
    [
      "a proxy whose prototype throws",
      new Proxy(
        {},
        {
          getPrototypeOf: () => {
            throw new Error("trap")
          },
        }
      ),
    ],
    [
      "a getter that throws",
      Object.defineProperty({}, "a", {
        enumerable: true,
        get: () => {
          throw new Error("get")
        },
      }),
    ],
    ["an object with a number", { amount: 1 }],
    ["an object with a nested object", { nested: {} }],
  ])("refuses %s as data, and does not throw", (_what, data) => {
    expect(verifyApprovalHash(data, EMPTY, KEY)).toBe(false)
  })

  // printf '%s' 'UNPAID' | openssl dgst -sha256 -hmac ''
  const EMPTY_KEY_DIGEST = "56ae37d5f46a3edf7f51747ef2acdfd291070b5c5165ece256637ab516d79152"
  it.each<[string, string | readonly string[]]>([
    ["an empty key", ""],
    ["an empty list", []],
    ["a list of an empty key", [""]],
    ["an empty key next to a real one", [KEY, ""]],
    ["undefined", undefined as unknown as string],
    ["a list of undefined", [undefined as unknown as string]],
  ])("refuses everything under %s", (_what, key) => {
    expect(verifyApprovalHash({ status: "UNPAID" }, EMPTY_KEY_DIGEST, key)).toBe(false)
  })

  it("passes over an empty key and still accepts under a real one", () => {
    expect(verifyApprovalHash({ status: "UNPAID" }, UNPAID_DIGEST, ["", KEY])).toBe(true)
  })

  it("takes lone surrogates without throwing", () => {
    expect(verifyApprovalHash({ "\uD83D": "\uDE00", "\uDE00": "\uD83D" }, paid.digest, KEY)).toBe(false)
  })

  it("sorts 64 kB of names that differ only at their ends, and copies each of them once", () => {
    // In no order, so that each name is compared many times.
    const names = Array.from(
      { length: 200 },
      (_, i) => `${"a".repeat(320)}\uD83D\uDE00${String((i * 79) % 200)}`
    )
    const data = Object.fromEntries(names.map((name) => [name, ""]))
    const compare = jest.spyOn(Buffer, "compare")
    const copy = jest.spyOn(Buffer, "from")
    verifyApprovalHash(data, paid.digest, KEY)
    const [comparisons, copies] = [compare.mock.calls.length, copy.mock.calls.length]
    jest.restoreAllMocks()
    expect(comparisons).toBeGreaterThan(200)
    expect(comparisons).toBeLessThan(20 * 200)
    // And a few for the digests.
    expect(copies).toBeGreaterThanOrEqual(200)
    expect(copies).toBeLessThan(220)
  })

  it("never throws and never accepts by chance, whatever comes", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (data, hash, key) => {
        expect(verifyApprovalHash(data, hash, key as string)).toBe(false)
      })
    )
  })

  it("accepts what approvalHash made, for any names and values", () => {
    const text = fc.string({ unit: "binary" })
    fc.assert(
      fc.property(fc.dictionary(text, fc.option(text), { noNullPrototype: true }), (data) => {
        expect(verifyApprovalHash(data, approvalHash(data, KEY), ["other", KEY])).toBe(true)
      })
    )
  })
})
