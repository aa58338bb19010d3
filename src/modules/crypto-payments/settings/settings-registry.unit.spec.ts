import { NOTHING_STORED, type StoredSettings } from "./effective-settings"
import { SettingsRegistry } from "./settings-registry"
import type { SettingsStore } from "./settings-store"

class CryptoProvider {
  static identifier = "crypto"
}

const config = {
  modules: {
    payment: {
      options: { providers: [{ resolve: { services: [CryptoProvider] }, id: "default", options: {} }] },
      dependencies: ["cryptoPayments"],
    },
  },
}

const readAll = jest.fn<Promise<Map<string, StoredSettings>>, []>()
const registry = (): SettingsRegistry => new SettingsRegistry(config, { readAll } as unknown as SettingsStore)
const saved = (timeout_ms: number) =>
  new Map([["pp_crypto_default", { ...NOTHING_STORED, values: { timeout_ms } }]])

beforeEach(() => {
  readAll.mockReset().mockResolvedValue(saved(1000))
})

it("after a failed read the database is asked again", async () => {
  const settings = registry()
  readAll.mockRejectedValueOnce(new Error("no database"))
  await expect(settings.list()).rejects.toThrow("no database")
  expect(await settings.list()).toHaveLength(1)
})
