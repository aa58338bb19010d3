import { createHmac } from "node:crypto"
import fc from "fast-check"
import { approvalHash, verifyApprovalHash } from "./approval-hash"

// The digests were computed outside this code, with OpenSSL 3.0, one command per vector:
//
//   printf '%s' "$HASHED" | openssl dgst -sha256 -hmac 'sandbox-secret-key'
//
// where $HASHED is the vector's `hashed`: the values in order of their names, put together by hand. `hashed` is not
// used by the tests; it is there to run the command again.
const KEY = "sandbox-secret-key"

interface Vector {
  name: string
  data: Record<string, unknown>
  hashed: string
  digest: string
}

const unpaid: Vector = {
  name: "an unpaid notification with null fields",
  data: {
    payment_request_id: "pr_0001",
    payment_amount: "129.90000000000000",
    payment_currency: "AED",
    receiving_amount: "127.40000000000000",
    paid_cryptocurrency: null,
    fee_amount: "2.50000000000000",
    fee_paid_by: "MERCHANT",
    payer_email_address: "buyer@example.com",
    payer_first_name: "Ada",
    payer_last_name: "Lovelace",
    ref_id: null,
    merchant_id: "m-7",
    merchant_name: "Demo Shop",
    status: "UNPAID",
    paid_at: null,
    note: "0f1e2d3c-note",
  },
  hashed:
    "2.50000000000000MERCHANTm-7Demo Shop0f1e2d3c-notebuyer@example.comAdaLovelace129.90000000000000AEDpr_0001127.40000000000000UNPAID",
  digest: "595b601c826e7244772868ec05d0645208c464e2c6b79544f6406f9642361b49",
}

const paid: Vector = {
  name: "a paid notification without null fields",
  data: {
    payment_request_id: "pr_0002",
    payment_amount: "100.00000000000000",
    payment_currency: "USD",
    receiving_amount: "100.00000000000000",
    paid_cryptocurrency: "USDT",
    fee_amount: "1.00000000000000",
    fee_paid_by: "BUYER",
    payer_email_address: "buyer@example.com",
    payer_first_name: "Ada",
    payer_last_name: "Lovelace",
    ref_id: "REF-9",
    merchant_id: "m-7",
    merchant_name: "Demo Shop",
    status: "PAID",
    paid_at: "2026-10-04T12:30:00Z",
    note: "payses_01",
  },
  hashed:
    "1.00000000000000BUYERm-7Demo Shoppayses_012026-10-04T12:30:00ZUSDTbuyer@example.comAdaLovelace100.00000000000000USDpr_0002100.00000000000000REF-9PAID",
  digest: "9a9c340be39f5a58ba4459f7bc851b4a659328c004740baf8e83910e0bd268b2",
}

const arabic: Vector = {
  name: "names in Arabic",
  data: {
    payment_request_id: "pr_0003",
    payment_amount: "100.00000000000000",
    payment_currency: "AED",
    payer_email_address: "buyer@example.com",
    payer_first_name: "فاطمة",
    payer_last_name: "الزهراء",
    merchant_id: "m-7",
    merchant_name: "متجر الاختبار",
    status: "UNPAID",
    note: null,
  },
  hashed: "m-7متجر الاختبارbuyer@example.comفاطمةالزهراء100.00000000000000AEDpr_0003UNPAID",
  digest: "df79d762ae191a26b2aa72826be798ac5b60d7d286a50f4e4d8d632bb73723fa",
}

const extra: Vector = {
  name: "a field the interface does not list",
  data: {
    payment_request_id: "pr_0004",
    payment_amount: "100.00000000000000",
    status: "PAID",
    z_new_field: "added later",
  },
  hashed: "100.00000000000000pr_0004PAIDadded later",
  digest: "26e14a09a784c6b5d622d240c0abcbcf492ce047e964897be64d18cc69a684be",
}

// By UTF-16 code unit U+1F600 (D83D DE00) would come before U+FB00; by code point, after it.
const astral: Vector = {
  name: "names sorted by code point, not by UTF-16 code unit",
  data: { "\u{1F600}": "E", "\uFB00": "D", a: "C", Z: "B", "1": "A" },
  hashed: "ABCDE",
  digest: "6920c154e807551ae165a9623e28e2c3e1a7b15ba898620dd8c8ef272fca9064",
}

const nulls: Vector = {
  name: "nothing but nulls",
  data: { note: null, ref_id: null },
  hashed: "",
  digest: "d33a3ff9ba762042cc9e6cb5ecd9d59c7fc8cc60bc0e9f2f0a3f7f4c896f252c",
}

const vectors = [unpaid, paid, arabic, extra, astral, nulls]

const UNPAID_DIGEST = "fe4da7ed64fb24defdce791ec0da9ac6261a71664e8498be826dd992323aa451" // of UNPAID
const UNPAID_DIGEST_OLD_KEY = "157611d671b212be1aea53035d1d187b8dfa6c1a6229f3c5ab4d084815f3eae3" // -hmac 'old-secret-key'
const UNPAID_DIGEST_ARABIC_KEY = "fa4d3ff049e61efa54bbf445e0ff1b382a618f558fd4cc4293b3c1c713b7c676" // -hmac 'مفتاح'

describe("approvalHash", () => {
  it.each(vectors)("is the frozen digest for $name", ({ data, digest }) => {
    expect(approvalHash(data, KEY)).toBe(digest)
  })

  it("does not depend on the order the fields came in", () => {
    const reversed = Object.fromEntries(Object.entries(paid.data).reverse())
    expect(approvalHash(reversed, KEY)).toBe(paid.digest)
  })

  it("does not depend on the fields of the one before", () => {
    const renamed = { ...unpaid.data, zip: unpaid.data["status"] }
    Reflect.deleteProperty(renamed, "status")
    const before = approvalHash(renamed, KEY)
    expect(approvalHash(unpaid.data, KEY)).toBe(unpaid.digest)
    expect(approvalHash(renamed, KEY)).toBe(before)
    expect(approvalHash(paid.data, KEY)).toBe(paid.digest)
  })

  it("keys the digest with the UTF-8 bytes of the key", () => {
    expect(approvalHash({ status: "UNPAID" }, "مفتاح")).toBe(UNPAID_DIGEST_ARABIC_KEY)
  })

  it("counts a field that JSON calls __proto__ like any other", () => {
    const data = JSON.parse('{"__proto__":"UN","status":"PAID"}') as Record<string, unknown>
    expect(approvalHash(data, KEY)).toBe(UNPAID_DIGEST)
  })

  it.each([
    ["a number", 1],
    ["a boolean", true],
    ["an object", {}],
    ["a list", ["a"]],
    ["undefined", undefined],
  ])("refuses %s as a value and names the field", (_what, value) => {
    const hash = () => approvalHash({ status: "PAID", odd_field: value }, KEY)
    expect(hash).toThrow(TypeError)
    expect(hash).toThrow(/"odd_field"/)
  })

  it("takes the values in the order of the UTF-8 bytes of their names, for any names", () => {
    const name = fc.string({ unit: "binary", maxLength: 4 })
    const fields = fc.uniqueArray(fc.tuple(name, fc.string({ maxLength: 3 })), {
      selector: ([each]) => each,
      maxLength: 8,
    })
    fc.assert(
      fc.property(fields, (pairs) => {
        // Written anew from the interface, with another way to sort than the code's.
        const sorted = [...pairs].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        const text = sorted.map(([, value]) => value).join("")
        const expected = createHmac("sha256", KEY).update(text).digest("hex")
        expect(approvalHash(Object.fromEntries(pairs), KEY)).toBe(expected)
      }),
      { numRuns: 1000 }
    )
  })

  it("does not separate values: an unpaid and a paid notification can share a digest, so content is never trusted", () => {
    const received = { ref_id: null, status: "UNPAID" }
    const shifted = { ref_id: "UN", status: "PAID" }
    expect(approvalHash(received, KEY)).toBe(UNPAID_DIGEST)
    expect(approvalHash(shifted, KEY)).toBe(UNPAID_DIGEST)
    expect(verifyApprovalHash(shifted, UNPAID_DIGEST, KEY)).toBe(true)
  })

  it.each([
    ["nothing", null],
    ["text", "status=PAID"],
    ["a number", 7],
    ["a list", []],
    ["an object without a prototype", Object.create(null)],
    ["an instance of a class", new Map()],
  ])("refuses %s as data", (_, data) => {
    expect(() => approvalHash(data as Record<string, unknown>, KEY)).toThrow(
      new TypeError("approvalHash: data must be a plain object")
    )
  })

  it.each(["", undefined, 7])("refuses %p as a key", (key) => {
    expect(() => approvalHash({ status: "PAID" }, key as string)).toThrow(
      new TypeError("approvalHash: secretKey must be a non-empty string")
    )
  })

  it("names a field it cannot hash, however long its name, in a short line", () => {
    const refused = (): string => approvalHash({ ["x".repeat(10_000)]: 1 }, KEY)
    expect(refused).toThrow(/^approvalHash: field "x+" must be a string or null$/)
    expect(refused).not.toThrow(/x{200}/)
  })
})

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
    ["an empty key beside a real one", [KEY, ""]],
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

  it("sorts 64 kB of names that differ only at their ends without looking at any character more than twenty times on average", () => {
    // With a surrogate, or the sorting is the engine's own. In no order, so that each name is compared many times.
    const names = Array.from(
      { length: 200 },
      (_, i) => `${"a".repeat(320)}\uD83D\uDE00${String((i * 79) % 200)}`
    )
    const data = Object.fromEntries(names.map((name) => [name, ""]))
    const look = jest.spyOn(String.prototype, "charCodeAt")
    const copy = jest.spyOn(String.prototype, Symbol.iterator as never)
    verifyApprovalHash(data, paid.digest, KEY)
    const [looks, copies] = [look.mock.calls.length, copy.mock.calls.length]
    jest.restoreAllMocks()
    expect(looks).toBeGreaterThan(names.join("").length)
    expect(looks).toBeLessThan(20 * names.join("").length)
    expect(copies).toBe(0)
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
