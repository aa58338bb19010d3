import { draftSettings } from "./draft-settings"
import { resolveEffective, secretReader } from "./effective-settings"
import { EncryptionKeys } from "./encryption-keys"
import { openConnection, openSealed } from "./former-connections"
import { providerOptionsSchema } from "./options-schema"
import { sealFormer } from "./seal-settings"
import { readForm } from "./settings-input"
import {
  NOTHING_STORED,
  type Registration,
  type StoredConnection,
  type StoredSettings,
} from "./stored-settings"

const PROVIDER = "pp_crypto_default"
const A = "https://a.example/api/v1"
const B = "https://b.example/api/v1"
const BOTH = ["https://a.example", "https://b.example"]
const urls = { successUrl: "https://shop.example/r", failedUrl: "https://shop.example/f" }
const keys = EncryptionKeys.parse(Buffer.alloc(32, 1).toString("base64"))

function registration(config: Record<string, unknown>): Registration {
  const options = { ...urls, ...config }
  return {
    providerId: PROVIDER,
    options: providerOptionsSchema.parse(options),
    given: new Set(Object.keys(options)),
  }
}

/** What is kept of A, where these secrets are saved, when B is saved in its place. */
function leaveA(
  config: Record<string, unknown>,
  saved: Record<string, string> = {},
  given: Record<string, unknown> = {}
): StoredConnection | null {
  const stored: StoredSettings = {
    ...NOTHING_STORED,
    version: 1,
    options: { baseUrl: A, ...("auth.token" in saved ? { auth: { type: "bearer" } } : {}) },
    secrets: Object.fromEntries(
      Object.entries(saved).map(([field, text]) => [
        field,
        [{ sealed: keys.seal(text, { providerId: PROVIDER, field, origin: "https://a.example" }) }],
      ])
    ),
    bound_base_url: A,
  }
  const effective = resolveEffective(registration(config), stored, secretReader(keys, PROVIDER, stored))
  const drafted = draftSettings(effective, readForm({ base_url: B, ...given }))
  if ("refusal" in drafted) {
    throw new Error(drafted.refusal.message)
  }
  return sealFormer(keys, effective, drafted.draft)
}

const CONFIG = {
  secretKey: ["key", "former-key"],
  auth: { type: "bearer", token: "token" },
  allowedOrigins: BOTH,
}

describe("a connection that is left", () => {
  it("keeps what was saved for it", () => {
    const left = leaveA(
      {},
      { secret_key: "saved-key", "auth.token": "saved-token" },
      {
        secret_key: "new",
        auth: { type: "bearer", token: "new" },
      }
    )
    expect(left && openConnection(registration({}), left, keys)).toEqual({
      providerId: PROVIDER,
      origin: "https://a.example",
      baseUrl: A,
      auth: { type: "bearer", token: "saved-token" },
      secretKeys: ["saved-key"],
    })
  })

  it("keeps of medusa-config's secrets their names, and has the values that medusa-config gives now", () => {
    const left = leaveA(CONFIG)
    expect(left && openSealed(keys, PROVIDER, left)).toEqual({
      auth: { type: "bearer", token: "" },
      secret_keys: [],
      configured: ["secret_key", "auth.token"],
    })
    const rotated = registration({ ...CONFIG, auth: { type: "bearer", token: "rotated" } })
    expect(left && openConnection(rotated, left, keys)).toMatchObject({
      auth: { type: "bearer", token: "rotated" },
      secretKeys: ["key", "former-key"],
    })
  })

  it("has headers of medusa-config, too", () => {
    const auth = { type: "headers", headers: { "x-api-key": "secret", "x-shop": "7" } }
    const left = leaveA({ ...CONFIG, auth })
    expect(left && openConnection(registration({ ...CONFIG, auth }), left, keys)?.auth).toEqual(auth)
  })

  it.each([
    ["the address is not allowed any more", { ...CONFIG, allowedOrigins: ["https://b.example"] }],
    ["medusa-config gives no key any more", { ...CONFIG, secretKey: undefined }],
    ["medusa-config gives no token any more", { ...CONFIG, auth: { type: "bearer" } }],
  ])("is not used when %s", (_, now) => {
    const left = leaveA(CONFIG)
    expect(left).not.toBeNull()
    expect(left && openConnection(registration(now), left, keys)).toBeUndefined()
  })

  it("is not used with a function of medusa-config at an address that it does not allow", () => {
    const auth = () => ({})
    const config = { auth, allowedOrigins: ["https://b.example"] }
    const left = leaveA(config, { secret_key: "saved-key" }, { secret_key: "new" })
    expect(left && openConnection(registration(config), left, keys)).toBeUndefined()
    const allowed = registration({ auth, allowedOrigins: BOTH })
    expect(left && openConnection(allowed, left, keys)).toMatchObject({ auth, secretKeys: ["saved-key"] })
  })

  it("is not kept without the secrets it needs", () => {
    expect(
      leaveA({}, { secret_key: "saved-key" }, { secret_key: "new", auth: { type: "bearer", token: "new" } })
    ).toMatchObject({ origin: "https://a.example" })
    expect(leaveA({}, {}, { secret_key: "new" })).toBeNull()
  })
})
