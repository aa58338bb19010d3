import { ENCRYPTION_KEY_VARIABLE } from "./encryption-keys"
import type { StoredSettings } from "./effective-settings"
import { A, atA } from "./example-settings.spec"
import { SettingsEditor } from "./settings-editor"
import { SettingsRegistry } from "./settings-registry"
import type { Registration } from "./options-schema"
import type { SettingsStore } from "./settings-store"

class CryptoProvider {
  static identifier = "crypto"
}
const resolve = { services: [CryptoProvider] }
const providers = ["default", "other"].map((id) => ({ resolve, id, options: {} }))
const config = { modules: { payment: { options: { providers }, dependencies: ["cryptoPayments"] } } }
const PROVIDER = "pp_crypto_default"
const LOST = { sealed: "v1.text", problem: "unreadable" as const }

/** Keeps what is saved, as the table does. */
function editorOf(saved: Record<string, StoredSettings>) {
  const rows = new Map(Object.entries(saved))
  const store = {
    readAll: jest.fn(async () => await Promise.resolve(new Map(rows))),
    countOpen: async () => await Promise.resolve([]),
    save: async ({ providerId }: Registration, { version, ...given }: StoredSettings) => {
      rows.set(providerId, { ...given, version: version + 1, updated_at: new Date(0) })
      return await Promise.resolve(true)
    },
  }
  const ofStore = store as unknown as SettingsStore
  const note = async () => await Promise.resolve()
  const statuses = { noteAddress: note, forgetFormerKey: note }
  return { store, editor: new SettingsEditor(new SettingsRegistry(config, ofStore), ofStore, statuses) }
}

const { env } = process
beforeEach(() => {
  process.env = { ...env, [ENCRYPTION_KEY_VARIABLE]: Buffer.alloc(32, 1).toString("base64") }
})
afterEach(() => {
  process.env = env
})

it.each([
  ["the first settings", {}, { version: 0, base_url: A, secret_key: "key", timeout_ms: 900 }],
  ["another value", { [PROVIDER]: atA }, { version: 3, reuse_open_links: false }],
  ["a removed secret", { [PROVIDER]: atA }, { version: 3, secret_key: null }],
  [
    "a secret in place of one that no key opens",
    { [PROVIDER]: { ...atA, secrets: { ...atA.secrets, secret_key: [LOST] } } },
    { version: 3, secret_key: "key" },
  ],
  [
    "another provider's secret that no key opens",
    { [PROVIDER]: atA, pp_crypto_other: { ...atA, secrets: { secret_key: [LOST] } } },
    { version: 3, timeout_ms: 900 },
  ],
])("a save of %s answers as the next read", async (_, saved, form) => {
  const { editor } = editorOf(saved)
  const answer = await editor.save(PROVIDER, form)
  expect(answer.settings.version).toBe(form.version + 1)
  expect(answer).toEqual(await editor.read(PROVIDER))
})

it("a save over what somebody saved in between names the version that is stored", async () => {
  const { store, editor } = editorOf({ [PROVIDER]: atA })
  const stale = { status: 409, body: { code: "stale_version", version: 3 } }
  await expect(editor.save(PROVIDER, { version: 2 })).rejects.toMatchObject(stale)
  jest.spyOn(store, "save").mockImplementation(async () => await Promise.resolve(false))
  store.readAll.mockResolvedValueOnce(new Map([[PROVIDER, atA]]))
  store.readAll.mockResolvedValueOnce(new Map([[PROVIDER, { ...atA, version: 4 }]]))
  await expect(editor.save(PROVIDER, { version: 3 })).rejects.toMatchObject({ body: { version: 4 } })
})
