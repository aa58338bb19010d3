import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import { changeOrdersOfOpenLinks, fillOpenLinks } from "../support/history"
import { ledgerRow } from "../support/paid-checkout"
import { describeStore } from "../support/store-under-test"
import { PLACED_FIRST, placeUnpaidOrder } from "../support/unpaid-order"

describeStore(
  "the link of an order that became cheaper without an event",
  (store) => {
    /** Older than the links that a test makes. */
    async function cheaper(): Promise<string> {
      store.leavesDamage("the other links have no orders, and those that have, orders without items")
      const { orderId, session } = await placeUnpaidOrder(store)
      await store.untilQuiet()
      await store.knex("order").where({ id: orderId }).update({ version: 2 })
      await store.knex("order_item").where({ order_id: orderId }).update({ version: 2, unit_price: 1 })
      await store.knex("order_shipping").where({ order_id: orderId }).update({ version: 2 })
      await store.knex("crypto_payment_request").update({
        created_at: store.knex.raw("now() - interval '1 day'"),
        next_check_at: new Date("2100-01-01"),
      })
      return (await ledgerRow(store, session.id)).id
    }
    const ledger = (): CryptoPaymentsModuleService => store.container.resolve("cryptoPayments")

    it("is found behind two hundred others that were changed", async () => {
      const id = await cheaper()
      await fillOpenLinks(store, 210)
      await changeOrdersOfOpenLinks(store, 210)
      expect(await ledger().sweeps.sweepLinks()).toContain(id)
    })

    it("is none of a cart that is no order yet, whatever the cart's collection asks for by now", async () => {
      store.leavesDamage("the collection asks for less than its session")
      const { session } = await store.shopper().checkout()
      await store.untilQuiet()
      await store.knex("payment_collection").update({ amount: 1 })
      const before = await ledgerRow(store, session.id)
      expect(await ledger().sweeps.sweepLinks()).toEqual([])
      expect(await ledgerRow(store, session.id)).toEqual(before)
    })

    it("is found although another link fails", async () => {
      const id = await cheaper()
      const { orderId, session } = await placeUnpaidOrder(store)
      await store.untilQuiet()
      await store.knex("order").where({ id: orderId }).update({ status: "canceled" })
      const { id: failing } = await ledgerRow(store, session.id)
      await store.knex.raw(`
        CREATE FUNCTION refuse_link() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''refused''; END';
        CREATE TRIGGER refuse_link BEFORE UPDATE ON crypto_payment_request
          FOR EACH ROW WHEN (OLD.id = '${failing}') EXECUTE FUNCTION refuse_link()`)
      await expect(ledger().sweeps.sweepLinks()).rejects.toThrow("refused")
      const due = store.knex("crypto_payment_request").whereRaw("next_check_at <= now()")
      expect(await due.pluck("id")).toEqual([id])
    })

    it("is found page by page when thousands are newer, and then from the newest again", async () => {
      const id = await cheaper()
      await fillOpenLinks(store, 2100)
      const found = async (): Promise<boolean> => (await ledger().sweeps.sweepLinks()).includes(id)
      expect([await found(), await found(), await found(), await found()]).toEqual([false, true, false, true])
    })
  },
  PLACED_FIRST
)
