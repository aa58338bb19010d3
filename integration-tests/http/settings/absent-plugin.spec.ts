import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { cancelOrderWorkflow } from "@medusajs/medusa/core-flows"
import type { AxiosResponse } from "axios"
import type { CryptoPaymentRequestRow } from "../../../.medusa/server/src/modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { placePaidOrder, type PaidOrder } from "../../support/paid-checkout"
import { nothingIsDue, settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"

describeStore("what happened to a paid order while the plugin was not installed", (store) => {
  const ledger = (): CryptoPaymentsModuleService => store.container.resolve("cryptoPayments")
  const checkNow = async (id: string): Promise<AxiosResponse> =>
    await store.http.post(`/admin/crypto-payments/${id}/settle`, {}, await store.admin())
  const rowOf = async (id: string): Promise<CryptoPaymentRequestRow> =>
    (await store.knex("crypto_payment_request").where({ id }).first()) as CryptoPaymentRequestRow

  afterEach(() => {
    jest.restoreAllMocks()
  })

  /** Core cancels it, and neither the guard nor the subscriber of the plugin is there. */
  async function cancelWithoutPlugin({ orderId }: PaidOrder): Promise<void> {
    const heard = new Promise<void>((hear) => {
      jest.spyOn(ledger().orderLinks, "withdraw").mockImplementation(async () => {
        hear()
        await Promise.resolve()
        throw new Error("the plugin is not installed")
      })
    })
    await cancelOrderWorkflow(store.container).run({ input: { order_id: orderId } })
    await heard
    jest.restoreAllMocks()
  }

  async function settledOrder(): Promise<PaidOrder> {
    const paid = await placePaidOrder(store)
    await nothingIsDue(store)
    return paid
  }

  it("is found by Check now: a settled payment is read again as Medusa has it", async () => {
    const paid = await settledOrder()
    await cancelWithoutPlugin(paid)
    expect(await rowOf(paid.id)).toMatchObject({ state: "captured", attention_reason: null })
    const reads = (await store.gateway.calls("GET")).length

    const { status, data } = await checkNow(paid.id)
    expect([status, data.crypto_payment.attention_reason]).toEqual([200, "paid_on_canceled"])
    // One read, to tell what the gateway says now. What is recorded as PAID is settled without any.
    expect((await store.gateway.calls("GET")).length).toBe(reads + 1)
    expect((await checkNow(paid.id)).data.crypto_payment.attention_reason).toBe("paid_on_canceled")
    expect(await rowOf(paid.id)).toMatchObject({ state: "captured", attention_reason: "paid_on_canceled" })
  })

  it("is found by the schedule, of every order that was cancelled", async () => {
    const [first, second] = [await settledOrder(), await settledOrder()]
    await cancelWithoutPlugin(first)
    await cancelWithoutPlugin(second)
    await settleDue(store)
    for (const { id } of [first, second]) {
      expect(await rowOf(id)).toMatchObject({ state: "captured", attention_reason: "paid_on_canceled" })
    }
  })

  it("leaves an order alone that nothing happened to", async () => {
    const paid = await settledOrder()
    expect((await checkNow(paid.id)).status).toBe(200)
    await settleDue(store)
    expect(await rowOf(paid.id)).toMatchObject({ state: "captured", attention_reason: null })
    expect((await rowOf(paid.id)).settled_at).not.toBeNull()
  })

  it("is closed once the money is registered as sent back", async () => {
    const paid = await settledOrder()
    await cancelWithoutPlugin(paid)
    await settleDue(store)
    const { status } = await store.http.post(
      `/admin/crypto-payments/${paid.id}/refunds`,
      { amount: "20.01", reference: "0xabc" },
      await store.admin()
    )
    expect(status).toBe(200)
    expect(await rowOf(paid.id)).toMatchObject({ state: "refunded", attention_reason: null })
  })

  const deletions: [string, (paid: PaidOrder) => Promise<unknown>][] = [
    [
      "in the database",
      async ({ orderId }) =>
        await store.knex("order").where({ id: orderId }).update({ deleted_at: new Date() }),
    ],
    [
      "by the order module",
      async ({ orderId }) => await store.container.resolve(Modules.ORDER).deleteOrders([orderId]),
    ],
    [
      "with everything that is linked to it, as core deletes a draft order",
      async ({ orderId }) => {
        await store.container
          .resolve(ContainerRegistrationKeys.LINK)
          .delete({ [Modules.ORDER]: { order_id: [orderId] } })
        await store.container.resolve(Modules.ORDER).deleteOrders([orderId])
      },
    ],
  ]

  it.each(deletions)(
    "is told of an order that was deleted %s, and its refund can be registered",
    async (_, deleteIt) => {
      const paid = await settledOrder()
      await deleteIt(paid)
      await settleDue(store)
      expect(await rowOf(paid.id)).toMatchObject({ state: "captured", attention_reason: "paid_on_canceled" })
      const { status } = await store.http.post(
        `/admin/crypto-payments/${paid.id}/refunds`,
        { amount: "20.01", reference: "0xabc" },
        await store.admin()
      )
      expect(status).toBe(200)
      expect(await rowOf(paid.id)).toMatchObject({ state: "refunded", attention_reason: null })
      expect(await store.knex("order").whereNull("deleted_at")).toEqual([])
    }
  )
})
