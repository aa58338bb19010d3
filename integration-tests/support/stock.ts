import type { StoreUnderTest } from "./store-under-test"

/** How many of the seeded product the warehouse has, past core's services. */
export async function setStock(store: StoreUnderTest, quantity: number): Promise<void> {
  await store.knex("inventory_level").update({
    stocked_quantity: quantity,
    raw_stocked_quantity: JSON.stringify({ value: String(quantity), precision: 20 }),
  })
}
