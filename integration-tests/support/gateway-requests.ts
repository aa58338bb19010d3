import type { StoreUnderTest } from "./store-under-test"

/** Creates a payment request at the gateway behind the store's back, as its own creation whose answer was lost would. */
export async function createAtGateway(note: string | null, amount = "20.01"): Promise<string> {
  const response = await fetch(`${String(process.env["CRYPTO_PAYMENTS_BASE_URL"])}/api/payments`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${String(process.env["CRYPTO_PAYMENTS_TOKEN"])}`,
    },
    body: JSON.stringify({
      symbol: "USD",
      amount,
      ipn_success_url: "https://shop.example/success",
      ipn_failed_url: "https://shop.example/failed",
      payer_email_address: "somebody@example.test",
      note,
    }),
  })
  const { data } = (await response.json()) as { data: { payment_request_id: string } }
  return data.payment_request_id
}

/** Ledger rows of payment requests nobody waits for any more, due since a minute. @returns the gateway's ids */
export async function insertDueRows(store: StoreUnderTest, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    ids.push(await createAtGateway(null))
  }
  const origin = new URL(String(process.env["CRYPTO_PAYMENTS_BASE_URL"])).origin
  await store.knex("crypto_payment_request").insert(
    ids.map((id) => ({
      id: `cpreq_${id}`,
      provider_id: "pp_crypto_default",
      gateway_origin: origin,
      payment_request_id: id,
      session_id: `payses_${id}`,
      session_ids: [`payses_${id}`],
      payment_collection_id: `pay_col_${id}`,
      amount: "20.01",
      currency_code: "usd",
      state: "superseded",
      next_check_at: new Date(Date.now() - 60_000),
    }))
  )
  return ids
}
