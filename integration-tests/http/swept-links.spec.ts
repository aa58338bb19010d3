import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import { fillOpenLinks } from "../support/history"
import { ledgerRow } from "../support/paid-checkout"
import { describeStore } from "../support/store-under-test"
import { PLACED_FIRST, placeUnpaidOrder } from "../support/unpaid-order"

describeStore(
  "the link of an order that was cancelled without an event",
  (store) => {
    /** Older than the links that a test makes. */
    async function canceled(): Promise<string> {
      store.leavesDamage("the other links have no orders")
      const { orderId, session } = await placeUnpaidOrder(store)
      await store.untilQuiet()
      await store.knex("order").where({ id: orderId }).update({ status: "canceled" })
      await store.knex("crypto_payment_request").update({
        created_at: store.knex.raw("now() - interval '1 day'"),
        next_check_at: new Date("2100-01-01"),
      })
      return (await ledgerRow(store, session.id)).id
    }
    const ledger = (): CryptoPaymentsModuleService => store.container.resolve("cryptoPayments")
    const stateOf = async (id: string): Promise<string> =>
      (await store.knex("crypto_payment_request").where({ id }).first("state")).state as string

    it("is withdrawn behind two hundred others", async () => {
      const id = await canceled()
      await fillOpenLinks(store, 210)
      await ledger().sweeps.sweepLinks()
      expect(await stateOf(id)).toBe("superseded")
    })

    it("is withdrawn although another link fails", async () => {
      const id = await canceled()
      const failing = await canceled()
      await store.knex.raw(`
        CREATE FUNCTION refuse_link() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''refused''; END';
        CREATE TRIGGER refuse_link BEFORE UPDATE ON crypto_payment_request
          FOR EACH ROW WHEN (OLD.id = '${failing}') EXECUTE FUNCTION refuse_link()`)
      await expect(ledger().sweeps.sweepLinks()).rejects.toThrow("refused")
      expect([await stateOf(id), await stateOf(failing)]).toEqual(["superseded", "open"])
    })

    it("is withdrawn page by page when thousands are newer, and then from the newest again", async () => {
      const id = await canceled()
      await fillOpenLinks(store, 2100)
      const withdrawn = async (): Promise<boolean> => {
        await ledger().sweeps.sweepLinks()
        return (await stateOf(id)) === "superseded"
      }
      expect([await withdrawn(), await withdrawn()]).toEqual([false, true])
      await store.knex("crypto_payment_request").where({ id }).update({ state: "open" })
      expect([await withdrawn(), await withdrawn()]).toEqual([false, true])
    })
  },
  PLACED_FIRST
)
