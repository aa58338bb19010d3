import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SettingsEditor } from "../../.medusa/server/src/modules/crypto-payments/settings/settings-editor"
import { SettingsRegistry } from "../../.medusa/server/src/modules/crypto-payments/settings/settings-registry"
import { SettingsStore } from "../../.medusa/server/src/modules/crypto-payments/settings/settings-store"
import { inParallel } from "../support/in-parallel"
import { notificationData, signedBody } from "../support/notification"
import { describeStore, SECRET_KEY } from "../support/store-under-test"

const PROVIDER = "pp_crypto_default"
const NEW_KEY = "the-new-webhook-key"
const VARIABLE = "CRYPTO_PAYMENTS_ENCRYPTION_KEY"

describeStore(
  "a new webhook key",
  (store) => {
    /** Another server of the same store: it shares the database and nothing else. */
    const saveElsewhere = async (version: number, secretKey: string): Promise<void> => {
      const config = store.container.resolve(ContainerRegistrationKeys.CONFIG_MODULE)
      const settings = new SettingsStore(store.knex)
      const outcome = await new SettingsEditor(new SettingsRegistry(config, settings), settings, {
        acceptAddress: async () => await Promise.resolve(),
      }).save(PROVIDER, {
        version,
        secret_key: secretKey,
        base_url: store.gatewayBaseUrl,
        auth: { type: "none" },
      })
      expect(outcome).toMatchObject({ settings: { configured: true } })
    }
    const notify = async (key: string): Promise<number> =>
      (
        await fetch(store.webhookUrl, {
          method: "POST",
          body: signedBody(notificationData("another-shops-request"), key),
        })
      ).status
    /** Until then the tests of a store share what it has read of the settings. */
    beforeEach(async () => {
      await saveElsewhere(0, SECRET_KEY)
      expect(await notify(SECRET_KEY)).toBe(200)
    })

    it("is taken at once on a server that has not heard of it", async () => {
      await saveElsewhere(1, NEW_KEY)
      expect(await inParallel(20, 5, async () => await notify(NEW_KEY))).toEqual(Array(20).fill(200))
    })

    it("is looked for four times a second at most, however many forgeries come", async () => {
      const reads: number[] = []
      const listen = ({ sql }: { sql: string }): void => {
        if (sql.includes('from "crypto_payment_settings"')) {
          reads.push(performance.now())
        }
      }
      store.knex.on("query", listen)
      const startedAt = performance.now()
      const statuses = await inParallel(200, 40, async () => await notify("forged"))
      const tookS = (performance.now() - startedAt) / 1000
      store.knex.removeListener("query", listen)
      expect(new Set(statuses)).toEqual(new Set([401]))
      expect(reads.length).toBeGreaterThan(0)
      expect(reads.length).toBeLessThanOrEqual(2 + 4 * tookS)
    })
  },
  {
    CRYPTO_PAYMENTS_BASE_URL: "",
    CRYPTO_PAYMENTS_SECRET_KEY: "",
    CRYPTO_PAYMENTS_TOKEN: "",
    [VARIABLE]: Buffer.alloc(32, 3).toString("base64"),
  }
)
