import type { IPaymentModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { recomputeCollectionSums } from "../../../.medusa/server/src/workflows/core/collection-sums"
import { readCollectionEnd } from "../../support/end-state"
import { placePaidOrder } from "../../support/paid-checkout"
import { describeStore } from "../../support/store-under-test"

const OF_20_01 = { status: "completed", captured: "20.01", captures: ["20.01"] }

describeStore("a collection's sums after core was interrupted", (store) => {
  const recompute = async (id: string) => await recomputeCollectionSums(store.container, id)
  const end = async (id: string) => await readCollectionEnd(store.knex, id)

  /** Core's refund row is written, the provider has answered, and the sums are not. */
  async function breakAtSums(write: () => Promise<unknown>): Promise<void> {
    await store.knex.raw(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$`
    )
    await store.knex.raw(
      "CREATE TRIGGER refuse BEFORE UPDATE ON payment_collection FOR EACH ROW EXECUTE FUNCTION refuse()"
    )
    try {
      await write()
    } finally {
      await store.knex.raw("DROP FUNCTION refuse CASCADE")
    }
  }

  it("have the refund that core had written and not summed up", async () => {
    const { collectionId, id } = await placePaidOrder(store)
    const admin = await store.admin()
    await breakAtSums(async () => {
      await store.http.post(
        `/admin/crypto-payments/${id}/refunds`,
        { amount: "20.01", reference: "0xabc" },
        admin
      )
    })
    expect(await store.knex("refund").whereNull("deleted_at").count()).toEqual([{ count: "1" }])
    expect(await end(collectionId)).toEqual({ ...OF_20_01, refunded: "0.00" })

    await recompute(collectionId)
    expect(await end(collectionId)).toEqual({ ...OF_20_01, refunded: "20.01" })
  })

  it("have the capture that core had written and not dated", async () => {
    const { collectionId, paymentId } = await placePaidOrder(store)
    await store.knex("payment").update({ captured_at: null })
    await store.knex("payment_collection").update({ captured_amount: 0, status: "authorized" })

    await recompute(collectionId)
    expect(await end(collectionId)).toEqual({ ...OF_20_01, refunded: "0.00" })
    const payment = await store.knex("payment").where({ id: paymentId }).first("captured_at")
    expect(payment.captured_at).toBeInstanceOf(Date)
  })

  it("leave the status of a cancelled order's collection", async () => {
    const { collectionId } = await placePaidOrder(store)
    await store.knex("payment_collection").update({ captured_amount: 0, status: "canceled" })
    await recompute(collectionId)
    expect(await end(collectionId)).toEqual({ ...OF_20_01, status: "canceled", refunded: "0.00" })
  })

  it("are not touched, and nothing is captured, while nothing was captured", async () => {
    const { collectionId } = await store.shopper().checkout()
    await recompute(collectionId)
    expect(await end(collectionId)).toEqual({
      status: "not_paid",
      captured: "0.00",
      refunded: "0.00",
      captures: [],
    })
  })

  it("are as they were when they are summed up twice", async () => {
    const { collectionId } = await placePaidOrder(store)
    await recompute(collectionId)
    await recompute(collectionId)
    expect(await end(collectionId)).toEqual({ ...OF_20_01, refunded: "0.00" })
    const payments = store.container.resolve<IPaymentModuleService>(Modules.PAYMENT)
    expect(await payments.listCaptures({})).toHaveLength(1)
  })
})
