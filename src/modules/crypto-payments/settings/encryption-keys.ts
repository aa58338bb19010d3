import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"

export const ENCRYPTION_KEY_VARIABLE = "CRYPTO_PAYMENTS_ENCRYPTION_KEY"

const HOW_TO_MAKE = "make one with `openssl rand -base64 32` and give it to every instance"
export const KEY_MESSAGES = {
  present: null,
  missing: `${ENCRYPTION_KEY_VARIABLE} is not set, so secrets cannot be saved here: ${HOW_TO_MAKE}.`,
  malformed: `${ENCRYPTION_KEY_VARIABLE} is malformed: it has to be 32 bytes as base64 or hex, or several such keys separated by commas; ${HOW_TO_MAKE}.`,
  wrong: `${ENCRYPTION_KEY_VARIABLE} is not the key the saved secrets were sealed with. Give it that key again, after the new one and a comma; or give the saved secrets again.`,
}

const VERSION = "v1"
const NONCE_BYTES = 12

/** What an encrypted text belongs to: nothing else can decrypt it. */
export interface SealContext {
  providerId: string
  field: string
  /** The origin it may be sent to; null while no gateway address is known. */
  origin: string | null
}

/** A saved or given secret: its text, which is never shown. Or, when it cannot be used, as it is stored, and why. */
export type Secret = string | { sealed: string; problem: "unreadable" | "elsewhere" }

interface EncryptionKey {
  id: string
  bytes: Buffer
}

/**
 * Encrypts secrets with AES-256-GCM as `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url. Version, key id,
 * provider, field and the gateway's origin are authenticated. So a text cannot be used for another field, provider or
 * address, whatever is written into the database.
 */
export class EncryptionKeys {
  readonly state: "present" | "missing" | "malformed"
  private readonly keys: EncryptionKey[]

  /** @param text 32 bytes as base64 or hex; several, separated by commas: the first encrypts, all decrypt */
  constructor(text = "") {
    const parts = text.split(",").flatMap((part) => part.trim() || [])
    const keys = parts.flatMap((part) => parseKey(part) ?? [])
    const isMalformed = keys.length < parts.length
    this.state = isMalformed ? "malformed" : keys.length === 0 ? "missing" : "present"
    this.keys = isMalformed ? [] : keys
  }

  /** @throws Error when there is no key; ask `state` first */
  seal(secret: string, context: SealContext): string {
    const [key] = this.keys
    if (key === undefined) {
      throw new Error(`${ENCRYPTION_KEY_VARIABLE} is ${this.state}`)
    }
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce)
    cipher.setAAD(associatedData(key.id, context))
    const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()])
    return [VERSION, key.id, nonce.toString("base64url"), sealed.toString("base64url")].join(".")
  }

  /** `unreadable` without the right key; `elsewhere` when the text was encrypted for something else, or changed. */
  open(sealed: string, context: SealContext): Secret {
    const [version, keyId, nonce = "", encrypted = "", ...rest] = sealed.split(".")
    const key = this.keys.find(({ id }) => id === keyId)
    if (key === undefined) {
      return { sealed, problem: "unreadable" }
    }
    if (version !== VERSION || rest.length > 0) {
      return { sealed, problem: "elsewhere" }
    }
    const bytes = Buffer.from(encrypted, "base64url")
    try {
      const decipher = createDecipheriv("aes-256-gcm", key.bytes, Buffer.from(nonce, "base64url"), {
        authTagLength: 16,
      })
      decipher.setAAD(associatedData(key.id, context))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString("utf8")
    } catch {
      // Changed, truncated or moved: do not use any part of it.
      return { sealed, problem: "elsewhere" }
    }
  }
}

/** The keys that the environment gives now. */
export const readEncryptionKeys = (): EncryptionKeys =>
  new EncryptionKeys(process.env[ENCRYPTION_KEY_VARIABLE])

function parseKey(text: string): EncryptionKey | undefined {
  // 32 bytes, in hex or base64.
  const isHex = /^[0-9a-f]{64}$/i.test(text)
  if (!isHex && !/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) {
    return undefined
  }
  const bytes = Buffer.from(text, isHex ? "hex" : "base64")
  // Distinguishes keys, and reveals nothing of them.
  const id = createHash("sha256")
    .update("medusa-payment-crypto key id")
    .update(bytes)
    .digest("hex")
    .slice(0, 8)
  return { id, bytes }
}

function associatedData(keyId: string, { providerId, field, origin }: SealContext): Buffer {
  return Buffer.from(JSON.stringify([VERSION, keyId, providerId, field, origin]), "utf8")
}
