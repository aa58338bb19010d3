import type { StoreUnderTest } from "./store-under-test"

/**
 * Core refuses to complete any cart until the answer is called: no shipping option serves the product's profile.
 *
 * Unlike stock that is gone, this fails before core's parallel steps. When one of those fails on a busy machine, core's
 * in-memory workflow engine may leave the completion unfinished: see unfinished-completion.spec.ts.
 */
export async function refuseOrders(store: StoreUnderTest): Promise<() => Promise<void>> {
  const options = await store.knex("shipping_option").select<ServedProfile[]>("id", "shipping_profile_id")
  await store.knex("shipping_option").update({ shipping_profile_id: null })
  return async () => {
    for (const { id, shipping_profile_id } of options) {
      await store.knex("shipping_option").where({ id }).update({ shipping_profile_id })
    }
  }
}

interface ServedProfile {
  id: string
  shipping_profile_id: string
}
