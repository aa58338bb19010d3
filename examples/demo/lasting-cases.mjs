import pg from "pg"

import { DemoProblem } from "./demo-problem.mjs"
import { httpClient } from "./http.mjs"
import { press } from "./payer.mjs"
import { openLink } from "./shopper.mjs"

const SETTINGS = "/admin/crypto-payments/settings/pp_crypto_default"

/** Of a payment and its order, only times are moved. The plugin opens the case itself, at its next check. */
const TWO_DAYS_PASS = `WITH payment AS (
  UPDATE crypto_payment_request
     SET created_at = created_at - interval '2 days', paid_at = paid_at - interval '2 days',
         status_since = status_since - interval '2 days', failing_since = failing_since - interval '2 days',
         unread_since = unread_since - interval '2 days'
   WHERE id = $1 RETURNING order_id)
  UPDATE "order" SET created_at = created_at - interval '2 days' WHERE id = (SELECT order_id FROM payment)`
/** Its own next check would end the case within the hour. This leaves it to the person in the admin. */
const PUT_OFF = "UPDATE crypto_payment_request SET next_check_at = now() + interval '1 day' WHERE id = $1"

/**
 * Makes the cases that say that something has lasted, or fails again and again. Each cause is there while the plugin
 * looks, for that payment only, and then it is over, so that **Check now** ends the case. Two causes stay, for the person
 * in the admin: the order that could not be cancelled keeps its open edit, and a part of a payment stays a part.
 *
 * @param {import("./set-up.mjs").Setting} setting
 * @param {import("./http.mjs").HttpClient} store
 * @param {import("./http.mjs").HttpClient} admin
 * @param {AbortSignal} signal
 */
export async function makeLastingCases({ seeded, sandboxUrl, databaseUrl }, store, admin, signal) {
  const control = httpClient(`${sandboxUrl}/control`, {}, signal)
  const database = new pg.Client({ connectionString: databaseUrl })
  /** @param {string} id */
  const check = async (id) => {
    try {
      await admin.post(`/admin/crypto-payments/${id}/settle`)
    } catch (error) {
      // One of the cases is about checks that fail. Whether it was opened is looked at in the end.
      if (!(error instanceof DemoProblem)) {
        throw error
      }
    }
  }
  /**
   * @param {(payment: {id: string, asked: string, cartId: string, link: string}) => Promise<unknown>} begin
   * @param {(payment: {id: string, asked: string}) => Promise<unknown>} [end]
   */
  const last = async (begin, end) => {
    const { cartId, link } = await openLink(store, seeded)
    const find = "SELECT id, payment_request_id FROM crypto_payment_request WHERE payment_link = $1"
    const { id, payment_request_id: asked } = (await database.query(find, [link])).rows[0]
    await begin({ id, asked, cartId, link })
    await check(id)
    await database.query(TWO_DAYS_PASS, [id])
    await check(id)
    await database.query(PUT_OFF, [id])
    await end?.({ id, asked })
  }
  /** @param {number} status */
  const answering =
    (status) =>
    async (/** @type {{asked: string}} */ { asked }) =>
      await control.post("/faults", { endpoint: "read", kind: "status", status, payment_request_id: asked })
  const recover = () => control.delete("/faults")
  /** @param {string} status */
  const saying =
    (status) =>
    async (/** @type {{asked: string}} */ { asked }) =>
      await control.post(`/payments/${asked}/status`, { status })
  /** @param {string} name */
  const ofProvider =
    (name) =>
    async (/** @type {{id: string}} */ { id }) =>
      await database.query("UPDATE crypto_payment_request SET provider_id = $2 WHERE id = $1", [id, name])
  /** @param {Record<string, unknown>} input */
  const save = async (input) => {
    const { version } = (await admin.get(SETTINGS)).settings
    await admin.post(SETTINGS, { version, ...input })
  }

  await database.connect()
  try {
    await last(({ link }) => press(link, "part", signal))
    await last(answering(401), recover)
    await last(answering(503), recover)
    await last(saying("COMPLETED"), saying("UNPAID"))
    // As after a rename in medusa-config, which would need a restart.
    await last(ofProvider("pp_crypto_renamed"), ofProvider("pp_crypto_default"))
    await last(
      async ({ id, link }) => {
        // As an unexpected change of the database: Postgres refuses what is written before the order is placed.
        const refused = `CHECK (id <> '${id}' OR completion_began_at IS NULL)`
        await database.query(`ALTER TABLE crypto_payment_request ADD CONSTRAINT demo_fault ${refused}`)
        await press(link, "pay", signal)
        // Of a payment from two days ago, three failed checks are enough.
        await check(id)
        await check(id)
      },
      () => database.query("ALTER TABLE crypto_payment_request DROP CONSTRAINT demo_fault")
    )
    await save({ order_placement: "before_payment", unpaid_order_ttl_minutes: 30 })
    await last(async ({ cartId }) => {
      const { order } = await store.post(`/store/carts/${cartId}/complete`)
      await save({ order_placement: null, unpaid_order_ttl_minutes: null })
      await admin.post("/admin/order-edits", { order_id: order.id })
    })
  } finally {
    await database.end()
  }
}
