import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"

/** The environment variable with the key of stored secrets. */
export const ENCRYPTION_KEY_VARIABLE = "CRYPTO_PAYMENTS_ENCRYPTION_KEY"

const VERSION = "v1"
const KEY_BYTES = 32
const NONCE_BYTES = 12

/** What a sealed text belongs to: it opens nowhere else. */
export interface SealContext {
  providerId: string
  /** Such as `secret_key` or `auth.token`. */
  field: string
  /** The origin it may be sent to; null while no gateway address was known. */
  origin: string | null
}

interface EncryptionKey {
  id: string
  bytes: Buffer
}

/**
 * Seals secrets with AES-256-GCM. A sealed text is `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url; version, key
 * id, provider, field and the gateway's origin are authenticated with it. So a text opens for no other field or
 * provider, and for no other address than it was given for, whatever is written into the database.
 */
export class EncryptionKeys {
  private constructor(
    readonly state: "present" | "missing" | "malformed",
    private readonly keys: readonly EncryptionKey[]
  ) {}

  /**
   * @param text 32 bytes as base64 or hex; several, separated by commas, for rotation: the first seals, all open
   */
  static parse(text: string | undefined): EncryptionKeys {
    const parts = (text ?? "").split(",").flatMap((part) => part.trim() || [])
    const keys = parts.flatMap((part) => parseKey(part) ?? [])
    if (keys.length < parts.length) {
      return new EncryptionKeys("malformed", [])
    }
    return new EncryptionKeys(keys.length === 0 ? "missing" : "present", keys)
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

  /**
   * @returns undefined when the key it was sealed with is not here, null when it was changed, or sealed for something
   * else
   */
  open(text: string, context: SealContext): string | undefined | null {
    const [version, keyId, nonce = "", sealed = "", ...rest] = text.split(".")
    const key = this.keys.find(({ id }) => id === keyId)
    if (key === undefined) {
      return undefined
    }
    if (version !== VERSION || rest.length > 0) {
      return null
    }
    const bytes = Buffer.from(sealed, "base64url")
    try {
      const decipher = createDecipheriv("aes-256-gcm", key.bytes, Buffer.from(nonce, "base64url"), {
        authTagLength: 16,
      })
      decipher.setAAD(associatedData(key.id, context))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString("utf8")
    } catch {
      // Changed, truncated or moved: nothing of it may be used.
      return null
    }
  }
}

function parseKey(text: string): EncryptionKey | undefined {
  const bytes = /^[0-9a-f]{64}$/i.test(text)
    ? Buffer.from(text, "hex")
    : /^[A-Za-z0-9+/_-]{43}=?$/.test(text)
      ? Buffer.from(text, "base64")
      : undefined
  if (bytes?.length !== KEY_BYTES) {
    return undefined
  }
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
