import type { IEventBusModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { Client } from "pg"
import { CapturedOutput } from "./captured-output"
import { nothingIsDue } from "./settle-due"
import type { StoreUnderTest } from "./store-under-test"

/** What one request costs, with all the work that follows it. */
export interface Cost {
  gatewayCalls: number
  /** Everything this process sends to Postgres for it: the plugin's, core's, BEGIN and COMMIT. */
  statements: number
  /** At Medusa's usual level; the access log is not among them. */
  logLines: number
  events: number
}

/** What this measurement itself asks the database. */
const OWN_STATEMENT = /next_check_at <= now\(\) OR lease_until IS NOT NULL/

/** @param request what is measured; its work is over when no row is due or held any more */
export async function measureCost(store: StoreUnderTest, request: () => Promise<unknown>): Promise<Cost> {
  await nothingIsDue(store)
  await store.gateway.clearCalls()
  const bus: IEventBusModuleService = store.container.resolve(Modules.EVENT_BUS)
  const emit = jest.spyOn(bus, "emit")
  const query = jest.spyOn(Client.prototype, "query")
  const output = new CapturedOutput(store, "info")
  output.start()
  try {
    await request()
    await nothingIsDue(store)
    return {
      gatewayCalls: (await store.gateway.calls()).length,
      statements: query.mock.calls.filter(([asked]) => !OWN_STATEMENT.test(textOf(asked))).length,
      logLines: output.text.split("\n").filter((line) => line.trim() !== "").length,
      events: emit.mock.calls.flatMap(([messages]) => messages).length,
    }
  } finally {
    output.stop()
    query.mockRestore()
    emit.mockRestore()
  }
}

function textOf(asked: unknown): string {
  return typeof asked === "string" ? asked : String((asked as { text?: unknown } | undefined)?.text)
}
