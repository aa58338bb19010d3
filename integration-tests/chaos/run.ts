import { setTimeout as delay } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { tell } from "../support/command"
import { inParallel } from "../support/in-parallel"
import { offerOrderFirst } from "../support/order-first"
import type { Random } from "../support/random"
import { playCheckout } from "./checkout"
import type { Merchant } from "./merchant"
import { drawPlan, type CheckoutPlan } from "./plan"
import { drawTroubles, strike } from "./trouble"

const MOST_SHOPPERS = 8

/** Of a small run, only some begin at once: otherwise all would meet every trouble, and perhaps none could pay. */
const shoppersAtOnce = (checkouts: number): number => Math.min(MOST_SHOPPERS, Math.ceil(checkouts / 2))

export type ChaosRun = Awaited<ReturnType<typeof runChaos>>

/** Plays all checkouts while things break. Everything is drawn before the first one starts. */
export async function runChaos(merchant: Merchant, random: Random, checkouts: number) {
  const { cluster } = merchant
  bePatient(cluster.knex)
  await offerOrderFirst(cluster)
  const troubles = drawTroubles(random, checkouts)
  const plans = Array.from({ length: checkouts }, () => drawPlan(random))
  let breaking: Promise<void> = Promise.resolve()
  await inParallel(checkouts, shoppersAtOnce(checkouts), async (index) => {
    for (const trouble of troubles.filter(({ afterCheckout }) => afterCheckout === index)) {
      breaking = breaking.then(async () => {
        tell(`after ${index} checkouts: ${trouble.kind}`)
        await strike(cluster, trouble)
      })
      // Heard at the end; a trouble that fails ends the run there.
      breaking.catch(() => undefined)
    }
    await playCheckout(merchant, plans[index] as CheckoutPlan, `shopper-${index}@example.test`)
  })
  await breaking
  return { plans, troubles }
}

const PATIENCE_MS = 60_000
const AGAIN_MS = 200
/** Postgres ends a connection, is shutting down, or is not up yet; the socket is refused or cut. */
const AWAY = /^(57P0[123]|ECONNREFUSED|ECONNRESET)|connection (terminated|ended|error)/i

/** Knex makes a runner for each statement. */
type Client = { runner: (statement: unknown) => { run: () => Promise<unknown> } }

/** Asks again while Postgres is away: it is one of the things that this run breaks. */
function bePatient(knex: Knex): void {
  const client = knex.client as Client
  const runner = client.runner.bind(client)
  const ask = async (statement: unknown, deadline: number): Promise<unknown> => {
    try {
      return await runner(statement).run()
    } catch (error) {
      const { code = "", message = "" } = error as { code?: string; message?: string }
      if (!AWAY.test(`${code} ${message}`) || Date.now() > deadline) {
        throw error
      }
      await delay(AGAIN_MS)
      return await ask(statement, deadline)
    }
  }
  client.runner = (statement) => ({ run: async () => await ask(statement, Date.now() + PATIENCE_MS) })
}
