import { readOwed } from "../../../.medusa/server/src/modules/crypto-payments/payment-requests/order-balance"
import { OrderChanges } from "../../support/order-changes"
import { ledgerRow, payAndNotify, placePaidOrder } from "../../support/paid-checkout"
import { nothingIsDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

describeStore("what an order owes", (store) => {
  const changes = (): OrderChanges => new OrderChanges(store)
  const owed = async (orderId: string): Promise<number> => Number(await readOwed(store.knex, orderId))
  const settled = async (sessionId: string): Promise<unknown> => {
    const row = await waitUntil(
      async () => await ledgerRow(store, sessionId),
      ({ settled_at, attention_reason }) => settled_at !== null || attention_reason !== null
    )
    return { state: row.state, attention: row.attention_reason }
  }

  it.each<[string, number, (orderId: string) => Promise<unknown>]>([
    ["is as it was placed", 0, async () => await Promise.resolve()],
    ["was raised", 15.01, async (orderId) => await changes().raise(orderId)],
    [
      "became cheaper",
      -5.01,
      async (orderId) => {
        const items = await changes().items(orderId)
        await changes().reprice(
          orderId,
          items.map((item) => ({ ...item, unit_price: 10 }))
        )
      },
    ],
    ["is to be returned", 0, async (orderId) => await changes().requestReturn(orderId)],
    [
      "has come back",
      -15.01,
      async (orderId) => await changes().receiveReturn(orderId, await changes().requestReturn(orderId)),
    ],
    ["is to be exchanged for something dearer", 20, async (orderId) => await changes().exchange(orderId, 20)],
    ["has a claim", 20, async (orderId) => await changes().claim(orderId, 20)],
    [
      "was raised and given a part of that as credit",
      12.01,
      async (orderId) => {
        await changes().raise(orderId)
        const credit = { amount: 3, reference: "goodwill", reference_id: "1" }
        await changes().must(`/orders/${orderId}/credit-lines`, credit)
      },
    ],
  ])("is its total less what was paid when it %s", async (_, expected, change) => {
    const { orderId } = await placePaidOrder(store)
    await change(orderId)
    const figures = [await owed(orderId), await changes().owed(orderId)]
    expect(figures).toEqual([expect.closeTo(expected, 5), expect.closeTo(expected, 5)])
    await nothingIsDue(store)
  })

  it.each([
    ["an exchange's difference", async (orderId: string) => await changes().exchange(orderId, 20)],
    ["a claim's replacement", async (orderId: string) => await changes().claim(orderId, 20)],
  ])("is what has to come back once %s is paid to the cent, and that is no case", async (_, change) => {
    const { orderId } = await placePaidOrder(store)
    await change(orderId)
    const [collection] = await changes().openCollections(orderId)
    expect(collection?.amount).toBe("4.99")
    const link = await changes().link(String(collection?.id))
    await payAndNotify(store, link.paymentRequestId)
    expect(await settled(link.sessionId)).toEqual({ state: "captured", attention: null })
    expect(await owed(orderId)).toBeCloseTo(15.01, 5)
  })
})
