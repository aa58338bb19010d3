import { Modules } from "@medusajs/framework/utils"
import { recordedStatus } from "../../../.medusa/server/src/decision"
import {
  IS_BEING_PAID,
  SAYS_UNPAID,
} from "../../../.medusa/server/src/modules/crypto-payments/payment-requests/request-sql"
import { PAID_OK, readEndState } from "../../support/end-state"
import { payAndNotify } from "../../support/paid-checkout"
import { nothingIsDue } from "../../support/settle-due"
import { readSession, type PreparedCheckout } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

describeStore("a gateway that says a word we do not know", (store) => {
  const rowOf = async (paymentRequestId: string): Promise<Record<string, unknown>> =>
    await store.knex("crypto_payment_request").where({ payment_request_id: paymentRequestId }).first()

  async function ended(word: string): Promise<PreparedCheckout> {
    const checkout = await store.shopper().checkout()
    const { payment_request_id: id } = checkout.session.data
    await store.gateway.setStatus(id, word)
    await store.gateway.notify(id, { status: word })
    await waitUntil(
      async () => await rowOf(id),
      ({ gateway_status }) => gateway_status === word
    )
    await nothingIsDue(store)
    return checkout
  }

  it.each(["EXPIRED", "DECLINED", "FAILED", "CANCELLED", " expired "])(
    "as %s: the shopper reads that the attempt did not go through, and another attempt gets another link",
    async (word) => {
      const shopper = store.shopper()
      const { cartId, collectionId, session } = await ended(word)
      const { data } = await shopper.statusOf(session.id, cartId)
      expect(data).toEqual({ status: "failed", attempt_failed: true })

      const again = readSession((await shopper.openSession(collectionId)).data)
      expect(again.data.payment_link).not.toBe(session.data.payment_link)
      const second = await shopper.statusOf(again.id, cartId)
      expect(second.data).toEqual({ status: "awaiting_payment", payment_link: again.data.payment_link })
      const old = await rowOf(session.data.payment_request_id)
      expect(old).toMatchObject({ state: "superseded", attention_reason: null })
      expect(old["next_check_at"]).not.toBeNull()

      await payAndNotify(store, again.data.payment_request_id)
      await waitUntil(
        async () => await rowOf(again.data.payment_request_id),
        ({ settled_at }) => settled_at !== null
      )
      expect(await readEndState(store.knex, cartId)).toMatchObject({
        captures: ["20.01"],
        orders: 1,
        transactions: ["20.01"],
      })
    }
  )

  it("as EXPIRED: a session that another plugin opens past our routes gets another link", async () => {
    const { collectionId, session } = await ended("EXPIRED")
    const opened = { provider_id: "pp_crypto_default", currency_code: "usd", amount: 20.01, data: {} }
    const again = await store.container.resolve(Modules.PAYMENT).createPaymentSession(collectionId, opened)
    expect(again.data).toMatchObject({ payment_link: expect.any(String) })
    expect(again.data["payment_link"]).not.toBe(session.data.payment_link)
  })

  it.each(["CONFIRMING", "PARTIALLY_PAID", "paid"])(
    "that is no end, as %s: the shopper reads that the payment is processed, and is given no second link",
    async (word) => {
      const shopper = store.shopper()
      const { cartId, collectionId, session } = await ended(word)
      const { data } = await shopper.statusOf(session.id, cartId)
      expect(data).toEqual({ status: "processing" })

      await store.gateway.clearCalls()
      const again = readSession((await shopper.openSession(collectionId)).data)
      expect(again.data.payment_link).toBe(session.data.payment_link)
      expect(await store.gateway.calls("POST")).toEqual([])
      expect(await rowOf(session.data.payment_request_id)).toMatchObject({
        state: "open",
        gateway_status: word,
      })
    }
  )

  it.each(["unpaid", "UNPAID "])(
    "as %j: the shopper waits for the payment, with the same link",
    async (word) => {
      const shopper = store.shopper()
      const { cartId, collectionId, session } = await ended(word)
      const { data } = await shopper.statusOf(session.id, cartId)
      expect(data).toEqual({ status: "awaiting_payment", payment_link: session.data.payment_link })
      const again = readSession((await shopper.openSession(collectionId)).data)
      expect(again.data.payment_link).toBe(session.data.payment_link)
      expect(await rowOf(session.data.payment_request_id)).toMatchObject({
        state: "open",
        gateway_status: word,
      })
    }
  )

  it.each(["SETTLED", "paid", "PAID "])("as %s: never takes the word for paid", async (word) => {
    const { cartId } = await ended(word)
    expect((await store.shopper().complete(cartId)).data.type).toBe("cart")
    expect(await readEndState(store.knex, cartId)).toMatchObject({ captures: [], orders: 0 })
  })

  it("means the same to SQL as to the decision", async () => {
    const words = [
      "UNPAID",
      " unpaid\r\n",
      "\u00a0UNPAID",
      "PAID",
      "paid",
      " PAID",
      "PENDING",
      "pending ",
      "",
      null,
    ]
    words.push(
      "EXPIRED",
      "\texpired ",
      "\u00a0EXPIRED",
      "EXPIRED\nPAID",
      "PAYMENT_EXPIRED",
      "CANCELLED_BY_USER"
    )
    words.push("Timed out", "REFUND_FAILED", "NOT_EXPIRED", "CONFIRMING", "UNPAID\nPAID")
    for (const word of words) {
      const { rows } = await store.knex.raw(
        `SELECT ${IS_BEING_PAID} AS is_being_paid, COALESCE(${SAYS_UNPAID}, false) AS says_unpaid
           FROM (SELECT ?::text AS gateway_status) r`,
        [word]
      )
      const status = recordedStatus({ paid_at: null, gateway_status: word })
      const expected = { is_being_paid: status === "PENDING", says_unpaid: status === "UNPAID" }
      expect([word, ...rows]).toEqual([word, expected])
    }
  })

  it("gives another link at each attempt, and none is given twice", async () => {
    const shopper = store.shopper()
    const { collectionId, session } = await ended("DECLINED")
    const links = [session.data.payment_link]
    for (let attempt = 0; attempt < 3; attempt++) {
      const next = readSession((await shopper.openSession(collectionId)).data)
      links.push(next.data.payment_link)
      await store.gateway.setStatus(next.data.payment_request_id, "DECLINED")
    }
    expect(new Set(links).size).toBe(4)
  })

  it("and reports PAID after all: the cart is paid with it", async () => {
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await ended("EXPIRED")
    const again = readSession((await shopper.openSession(collectionId)).data)
    await payAndNotify(store, session.data.payment_request_id)
    await waitUntil(
      async () => await rowOf(session.data.payment_request_id),
      ({ settled_at, attention_reason }) => settled_at !== null || attention_reason !== null
    )
    expect(await readEndState(store.knex, cartId)).toEqual({
      ...PAID_OK,
      ledger: [...PAID_OK.ledger, { state: "superseded", settled: false, attention: null }],
    })
    expect(await rowOf(again.data.payment_request_id)).toMatchObject({ state: "superseded" })
  })
})
