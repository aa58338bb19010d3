import type { AxiosResponse } from "axios"
import { readEndState } from "../../support/end-state"
import { endOf, ledgerRow } from "../../support/paid-checkout"
import { describeStore } from "../../support/store-under-test"

/** Medusa's books of a cart of which nothing was captured. */
const NOTHING_BOOKED = {
  collection: { captured: "0.00", refunded: "0.00" },
  payments: [],
  captures: [],
  refunds: [],
  orders: 0,
  transactions: [],
}

describeStore("money in another currency than was asked for", (store) => {
  let headers: Record<string, string>

  beforeEach(async () => {
    ;({ headers } = await store.admin())
  })

  const get = async (path: string): Promise<AxiosResponse> =>
    await store.http.get(`/admin/crypto-payments${path}`, { headers })
  const post = async (path: string, body: unknown = {}): Promise<AxiosResponse> =>
    await store.http.post(`/admin/crypto-payments${path}`, body, { headers })

  /** 20.01 USD was asked, and 20.01 AED came. @returns the ledger row's id, and the cart's */
  const payInAed = async (): Promise<{ id: string; cartId: string }> => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id, { currencySymbol: "AED" })
    await store.gateway.notify(session.data.payment_request_id)
    await endOf(store, cartId)
    return { cartId, id: (await ledgerRow(store, session.id)).id }
  }
  const refund = async (id: string, amount: string): Promise<AxiosResponse> =>
    await post(`/${id}/refunds`, { amount, reference: `tx of ${amount}` })

  it("names the currency that came when more is registered as sent back", async () => {
    const { id } = await payInAed()
    const answer = await refund(id, "20.02")
    expect([answer.status, answer.data]).toEqual([
      400,
      { type: "not_allowed", code: "refund_too_large", message: "Only 20.01 AED is left to refund." },
    ])
  })

  it("is sent back in the ledger alone: the case closes for good, and Medusa books nothing", async () => {
    const { id, cartId } = await payInAed()
    expect((await refund(id, "5.00")).status).toBe(200)
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      ...NOTHING_BOOKED,
      ledger: [{ state: "paid", settled: false, attention: "amount_mismatch" }],
    })
    const all = await refund(id, "15.01")
    expect([all.status, all.data.refund]).toMatchObject([200, { state: "applied", medusa_refund_id: null }])
    expect((await post(`/${id}/settle`)).data.crypto_payment).toMatchObject({
      state: "refunded",
      refunded_amount: "20.01",
      attention_reason: null,
      next_check_at: null,
    })
    const end = {
      ...NOTHING_BOOKED,
      ledger: [{ state: "refunded", settled: true, attention: null }],
    }
    expect(await readEndState(store.knex, cartId)).toMatchObject(end)

    const { data } = await store.shopper().complete(cartId)
    expect([data.type, data.error?.message]).toEqual([
      "cart",
      "Your payment was sent back. Start the payment again.",
    ])
    expect(await readEndState(store.knex, cartId)).toMatchObject(end)
  })

  it("counts in the settlements as what it is, its refunds too", async () => {
    const { id } = await payInAed()
    await refund(id, "5.00")
    const sums = {
      currency_code: "aed",
      count: 1,
      gross: "20.01",
      fees: "0.2001",
      buyer_fees: "0.00",
      net: "19.8099",
      refund_count: 1,
      refunded: "5.00",
      // It waits for manual review.
      not_captured_count: 1,
      not_captured: "20.01",
    }
    const { data } = await get("/settlements")
    expect([data.settlements, data.totals]).toMatchObject([[sums], [sums]])
    expect((await get("/settlements?currency=aed")).data.totals).toEqual([sums])
    expect((await get("/settlements?currency=usd")).data.totals).toEqual([])
    const csv = await get("/settlements/export?currency=aed")
    expect(String(csv.data).split("\r\n")[1]).toMatch(
      /,aed,USDT,1,20\.01,0\.2001,0\.00,19\.8099,1,5\.00,1,20\.01$/
    )
  })

  it.each([
    ["nothing", null, "usd"],
    ["an empty word", "", "usd"],
    ["a word in small letters", "aed", "aed"],
    ["a word in mixed letters", "Usd", "usd"],
    ["a currency that is not taken", "EUR", "eur"],
  ])("counts as asked for, or as the gateway says, when a row has %s of the gateway's", async (...given) => {
    const [, symbol, currency] = given
    const { id } = await payInAed()
    await store.knex("crypto_payment_request").where({ id }).update({ gateway_currency_symbol: symbol })
    await refund(id, "5.00")
    const { data } = await get("/settlements")
    expect(data.totals).toMatchObject([{ currency_code: currency, count: 1, refunded: "5.00" }])
    expect((await refund(id, "20.00")).data.message).toBe(
      `Only 15.01 ${currency.toUpperCase()} is left to refund.`
    )
  })
})
