import { createHmac } from "node:crypto"
import fc from "fast-check"
import "../property-seed.spec"
import { approvalHash, verifyApprovalHash } from "./approval-hash"
import { KEY, paid, UNPAID_DIGEST, UNPAID_DIGEST_ARABIC_KEY, vectors } from "./approval-hash-vectors.spec"

describe("approvalHash", () => {
  it.each(vectors)("is the frozen digest for $name", ({ data, digest }) => {
    expect(approvalHash(data, KEY)).toBe(digest)
  })

  it("does not depend on the order the fields came in", () => {
    const reversed = Object.fromEntries(Object.entries(paid.data).reverse())
    expect(approvalHash(reversed, KEY)).toBe(paid.digest)
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
