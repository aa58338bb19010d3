import { createCipheriv } from "node:crypto"
import { EncryptionKeys } from "./encryption-keys"

const HEX = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
const OTHER = Buffer.alloc(32, 7).toString("base64")
const context = { providerId: "pp_crypto_default", field: "secret_key", origin: "https://a.example" }
const ELSEWHERE = { problem: "elsewhere" }

/** A text by the documented format. @param bound what is authenticated behind version and key id, as JSON */
function byHand(version: string, bound: string): string {
  const keyId = String(new EncryptionKeys(HEX).seal("x", context).split(".")[1])
  const nonce = Buffer.alloc(12, 1)
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(HEX, "hex"), nonce)
  cipher.setAAD(Buffer.from(`["${version}","${keyId}",${bound}]`))
  const body = Buffer.concat([cipher.update("by hand"), cipher.final(), cipher.getAuthTag()])
  return [version, keyId, nonce.toString("base64url"), body.toString("base64url")].join(".")
}

describe("EncryptionKeys", () => {
  const keys = new EncryptionKeys(HEX)

  it("opens what it sealed", () => {
    expect(keys.open(keys.seal("s3cret", context), context)).toBe("s3cret")
  })

  it("seals with a versioned prefix, a key id and a nonce that is never the same", () => {
    const [first, second] = [keys.seal("s3cret", context), keys.seal("s3cret", context)]
    expect(first).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/)
    expect(first).not.toBe(second)
    expect(first).not.toContain("s3cret")
  })

  it("opens what AES-256-GCM of anybody else sealed by the documented format", () => {
    const sealed = byHand("v1", '"pp_crypto_default","secret_key","https://a.example"')
    expect(keys.open(sealed, context)).toBe("by hand")
    const withoutAddress = byHand("v1", '"pp_crypto_default","secret_key",null')
    expect(keys.open(withoutAddress, { ...context, origin: null })).toBe("by hand")
    const otherVersion = byHand("v2", '"pp_crypto_default","secret_key","https://a.example"')
    expect(keys.open(otherVersion, context)).toMatchObject(ELSEWHERE)
  })

  it.each([
    ["another provider", { ...context, providerId: "pp_crypto_other" }],
    ["another field", { ...context, field: "auth.token" }],
    ["another origin", { ...context, origin: "https://b.example" }],
    ["another port of the host", { ...context, origin: "https://a.example:444" }],
    ["the host without TLS", { ...context, origin: "http://a.example" }],
    ["no origin", { ...context, origin: null }],
  ])("does not open for %s", (_, elsewhere) => {
    expect(keys.open(keys.seal("s3cret", context), elsewhere)).toMatchObject(ELSEWHERE)
  })

  it("does not open what was changed in any place", () => {
    const sealed = keys.seal("s3cret", context)
    for (let index = 0; index < sealed.length; index++) {
      const changed = `${sealed.slice(0, index)}${sealed[index] === "A" ? "B" : "A"}${sealed.slice(index + 1)}`
      const opened = keys.open(changed, context)
      // The last character of base64 may hold bits nobody reads.
      expect([index, typeof opened !== "string" || index === sealed.length - 1]).toEqual([index, true])
    }
  })

  it.each(["", "v1", "v1...", "v1.00000000.AAAA.AAAA", "plain"])("does not open %j", (text) => {
    expect(keys.open(text, context)).toEqual({ sealed: text, problem: "unreadable" })
  })

  it("does not open with another key", () => {
    const opened = new EncryptionKeys(OTHER).open(keys.seal("s3cret", context), context)
    expect(opened).toMatchObject({ problem: "unreadable" })
  })

  it.each([`${HEX},`, `,${HEX}`, `${HEX}, ,`])("takes a list with a part that is not set: %s", (text) => {
    expect(new EncryptionKeys(text).open(keys.seal("s3cret", context), context)).toBe("s3cret")
  })

  it("opens with any key of a list, and seals with the first", () => {
    const rotated = new EncryptionKeys(`${OTHER}, ${HEX}`)
    expect(rotated.open(keys.seal("s3cret", context), context)).toBe("s3cret")
    expect(new EncryptionKeys(OTHER).open(rotated.seal("new", context), context)).toBe("new")
  })

  it.each([
    ["hex", HEX],
    ["hex in capitals", HEX.toUpperCase()],
    ["base64", Buffer.from(HEX, "hex").toString("base64")],
    ["base64 without padding", Buffer.from(HEX, "hex").toString("base64").replace("=", "")],
    ["base64url", Buffer.from(HEX, "hex").toString("base64url")],
  ])("takes a key as %s, and it is the same key", (_, text) => {
    expect(new EncryptionKeys(text).open(keys.seal("s3cret", context), context)).toBe("s3cret")
  })

  it.each([
    ["missing", undefined],
    ["missing", ""],
    ["missing", " , "],
    ["malformed", "short"],
    ["malformed", HEX.slice(1)],
    ["malformed", `${HEX},short`],
    ["malformed", "a passphrase of exactly forty-three letters"],
  ])("is %s for %j", (state, text) => {
    expect(new EncryptionKeys(text).state).toBe(state)
  })
})
