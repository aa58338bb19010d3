import { OPEN_LINKS } from "../../../.medusa/server/src/modules/crypto-payments/checks/windows"
import { fillOpenLinks } from "../../support/history"
import { ledgerRow } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { sweptIds } from "../../support/swept"
import { PLACED_FIRST, placeUnpaidOrder } from "../../support/unpaid-order"

describeStore(
  "the link of an order that was cancelled without an event",
  (store) => {
    /** Older than the links that a test makes. */
    async function canceled(): Promise<string> {
      store.leavesDamage("the other links have no orders")
      const { orderId, session } = await placeUnpaidOrder(store)
      await store.untilQuiet()
      await store.knex("order").where({ id: orderId }).update({ status: "canceled" })
      const { id } = await ledgerRow(store, session.id)
      const created_at = store.knex.raw("now() - interval '1 day'")
      await store.knex("crypto_payment_request").where({ id }).update({ created_at })
      await checkTomorrow(id)
      return id
    }
    const checkTomorrow = async (id: string): Promise<void> => {
      const next_check_at = store.knex.raw("now() + interval '1 day'")
      await store.knex("crypto_payment_request").where({ id }).update({ next_check_at })
    }
    const stateOf = async (id: string): Promise<string> =>
      (await store.knex("crypto_payment_request").where({ id }).first("state")).state as string

    it("is withdrawn behind two hundred others", async () => {
      const id = await canceled()
      await fillOpenLinks(store, 210)
      await settleDue(store)
      expect(await stateOf(id)).toBe("superseded")
    })

    it("is withdrawn although another link fails", async () => {
      const id = await canceled()
      const failing = await canceled()
      await store.knex.raw(`
        CREATE FUNCTION refuse_link() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''refused''; END';
        CREATE TRIGGER refuse_link BEFORE UPDATE ON crypto_payment_request
          FOR EACH ROW WHEN (OLD.id = '${failing}' AND NEW.state <> OLD.state) EXECUTE FUNCTION refuse_link()`)
      await store.runSchedule()
      expect([await stateOf(id), await stateOf(failing)]).toEqual(["superseded", "open"])
    })

    it("is left to its next check while the gateway cannot be read", async () => {
      const id = await canceled()
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
      expect(await sweptIds(store, OPEN_LINKS)).toEqual([id])
      await store.runSchedule()
      expect(await stateOf(id)).toBe("open")
      expect(await sweptIds(store, OPEN_LINKS)).toEqual([])
    })
  },
  PLACED_FIRST
)
