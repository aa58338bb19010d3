import { SettingsRegistry } from "./settings-registry"
import { NOTHING_STORED, type SavedSettings, type SettingsStore } from "./settings-store"

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

const readAll = jest.fn<Promise<Map<string, SavedSettings>>, []>()
const registry = (): SettingsRegistry => new SettingsRegistry(config, { readAll } as unknown as SettingsStore)
const saved = (timeout_ms: number) =>
  new Map([["pp_crypto_default", { ...NOTHING_STORED, options: { timeout_ms } }]])

beforeEach(() => {
  readAll.mockReset().mockResolvedValue(saved(1000))
})

it("after a failed read the database is asked again", async () => {
  const settings = registry()
  readAll.mockRejectedValueOnce(new Error("no database"))
  await expect(settings.list()).rejects.toThrow("no database")
  expect(await settings.list()).toHaveLength(1)
})
