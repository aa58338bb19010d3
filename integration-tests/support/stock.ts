import type { StoreUnderTest } from "./store-under-test"

/** How many of each product the warehouse has, past core's services. */
export async function setStock({ knex }: Pick<StoreUnderTest, "knex">, quantity: number): Promise<void> {
  await knex("inventory_level").update({
    stocked_quantity: quantity,
    raw_stocked_quantity: JSON.stringify({ value: String(quantity), precision: 20 }),
  })
}
