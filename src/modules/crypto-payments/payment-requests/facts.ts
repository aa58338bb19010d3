import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { SettingsRegistry } from "../settings/settings-registry"
import { readSettlementFacts, type SettlementFacts } from "./core-facts"

/** What Medusa's database says about payments, carts and orders. Nothing here writes. */
export class Facts {
  constructor(
    private readonly knex: Knex,
    private readonly settings: SettingsRegistry
  ) {}

  /** What Medusa has for a payment request that has a row. @see readSettlementFacts */
  async read(requestId: string): Promise<SettlementFacts> {
    const facts = (await this.readAll([requestId])).get(requestId)
    if (facts === undefined) {
      throw new Error(`the ledger has no row ${requestId}`)
    }
    return facts
  }

  /** @see readSettlementFacts */
  async readAll(requestIds: readonly string[]): Promise<Map<string, SettlementFacts>> {
    return await readSettlementFacts(this.knex, requestIds, await this.settings.listRegistered())
  }

  /** The database's time, by which everything is dated and compared. */
  async now(): Promise<Date> {
    const { rows } = await this.knex.raw<{ rows: [{ now: Date }] }>("SELECT now()")
    return rows[0].now
  }
}
