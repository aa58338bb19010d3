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

it("what another instance saved before the call is read once, however many expect it", async () => {
  const settings = registry()
  await settings.list()
  readAll.mockResolvedValue(saved(2000))
  const timeouts = Array.from({ length: 20 }, async () => {
    await settings.expectChange()
    return (await settings.find("pp_crypto_default"))?.timeout_ms
  })
  expect(await Promise.all(timeouts)).toEqual(Array(20).fill(2000))
  expect(readAll).toHaveBeenCalledTimes(2)
})

it("after a failed read the database is asked again", async () => {
  const settings = registry()
  readAll.mockRejectedValueOnce(new Error("no database"))
  await expect(settings.list()).rejects.toThrow("no database")
  expect(await settings.list()).toHaveLength(1)
})
