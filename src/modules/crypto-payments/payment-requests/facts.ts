import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { SettingsRegistry } from "../settings/settings-registry"
import { readSettlementFacts, type SettlementFacts } from "./core-facts"

/** What Medusa's database says about payments, carts and orders. Nothing here writes. */
export class Facts {
  constructor(
    private readonly knex: Knex,
    private readonly settings: SettingsRegistry
  ) {}

  /** @see readSettlementFacts */
  async read(requestId: string): Promise<SettlementFacts> {
    return await readSettlementFacts(this.knex, requestId, await this.settings.listRegistered())
  }

  /** The database's time, by which everything is dated and compared. */
  async now(): Promise<Date> {
    const { rows } = await this.knex.raw<{ rows: [{ now: Date }] }>("SELECT now()")
    return rows[0].now
  }
}
