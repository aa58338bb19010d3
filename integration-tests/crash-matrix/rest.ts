import { whatIsLeft } from "../support/rest"
import { untilNone } from "../support/wait-until"
import type { Checkout } from "./flow"
import type { Shop } from "./shop"

/** Waits until nothing is left to do. @throws with what is left when it never ends; when the signal ends the waiting */
export async function untilAtRest(shop: Shop, checkout: Checkout, signal?: AbortSignal): Promise<void> {
  await untilNone(async () => await whatIsLeft(shop, checkout.paid, checkout), undefined, signal)
}

/** Waits until no settle of a living process has one of the rows. @param dead leases that a killed process has left */
export async function untilIdle({ knex }: Shop, cartIds: string[], dead: string[] = []): Promise<void> {
  const held = knex("crypto_payment_request")
    .whereIn("cart_id", cartIds)
    .whereNotIn("lease_id", dead)
    .whereRaw("lease_until > now()")
  await untilNone(async () => await held.clone().pluck("id"))
}
