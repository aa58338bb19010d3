import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { readOutstanding } from "../payment-requests/order-balance"
import type { Rule } from "./rule"

/** What a rule found, less what its order owes says is no finding. */
export async function judged<Found extends { order_ids: string[]; claimed?: string | null }>(
  knex: Knex,
  { judge }: Pick<Rule, "judge">,
  found: Found[]
): Promise<Found[]> {
  if (judge === undefined || found.length === 0) {
    return found
  }
  const owed = await readOutstanding(
    knex,
    found.flatMap(({ order_ids }) => order_ids)
  )
  return found.filter(({ order_ids: [id = ""], claimed }) => judge(owed.get(id) ?? "0", claimed ?? "0"))
}
