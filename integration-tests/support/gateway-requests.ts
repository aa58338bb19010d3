import { inParallel } from "./in-parallel"
import type { StoreUnderTest } from "./store-under-test"

interface CreatedRequest {
  payment_request_id: string
  payment_link: string
  payment_status: string
}

const AMOUNT = "20.01"

/** Creates a payment request at the gateway behind the store's back, as its own creation whose answer was lost would. */
export async function createAtGateway(note: string | null): Promise<CreatedRequest> {
  const response = await fetch(`${String(process.env["CRYPTO_PAYMENTS_BASE_URL"])}/api/payments`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${String(process.env["CRYPTO_PAYMENTS_TOKEN"])}`,
    },
    body: JSON.stringify({
      symbol: "USD",
      amount: AMOUNT,
      ipn_success_url: "https://shop.example/success",
      ipn_failed_url: "https://shop.example/failed",
      payer_email_address: "somebody@example.test",
      note,
    }),
  })
  const { data } = (await response.json()) as { data: CreatedRequest }
  return data
}

/** A ledger row of a request that `createAtGateway` made, and that nobody waits for any more. */
export function supersededRow({ payment_request_id }: CreatedRequest): Record<string, unknown> {
  const { origin } = new URL(String(process.env["CRYPTO_PAYMENTS_BASE_URL"]))
  return {
    id: `cpreq_${payment_request_id}`,
    provider_id: "pp_crypto_default",
    gateway_origin: origin,
    payment_request_id,
    session_id: `payses_${payment_request_id}`,
    session_ids: [`payses_${payment_request_id}`],
    payment_collection_id: `pay_col_${payment_request_id}`,
    amount: AMOUNT,
    currency_code: "usd",
    state: "superseded",
  }
}

/** Such rows, due since a minute. @returns the gateway's ids */
export async function insertDueRows(store: StoreUnderTest, count: number): Promise<string[]> {
  const created = await inParallel(count, 1, async () => await createAtGateway(null))
  await store.knex("crypto_payment_request").insert(
    created.map((request) => ({
      ...supersededRow(request),
      next_check_at: new Date(Date.now() - 60_000),
    }))
  )
  return created.map(({ payment_request_id }) => payment_request_id)
}
