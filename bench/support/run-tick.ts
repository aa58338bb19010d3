import type { StoreUnderTest } from "../../integration-tests/support/store-under-test"
import { trafficDuring, type GatewayTraffic } from "./gateway-traffic"
import { countDue } from "./ledger-rows"
import { statementsDuring } from "./statements"

/**
 * A store that runs no schedule of its own: each tick here is the only one. It takes no subscribers either, which none
 * of the rows needs.
 */
export const WITHOUT_SCHEDULE = { WORKER_MODE: "server" }

export interface Tick {
  /** How many rows were due before and are not due any more. */
  rows: number
  ms: number
  statements: number
  traffic: GatewayTraffic
}

/** Runs the job that Medusa runs every minute, once. */
export async function runTick(store: StoreUnderTest): Promise<Tick> {
  const dueBefore = await countDue(store)
  let traffic: GatewayTraffic = { calls: 0, mostInFlight: 0, answerMs: 0 }
  let ms = 0
  const statements = await statementsDuring(store.knex, async () => {
    traffic = await trafficDuring(store.gatewayBaseUrl, async () => {
      const startedAt = performance.now()
      await store.runSchedule()
      ms = performance.now() - startedAt
    })
  })
  const rows = dueBefore - (await countDue(store))
  return { rows, ms, statements: statements.length, traffic }
}
