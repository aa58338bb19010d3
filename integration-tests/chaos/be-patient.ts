import { setTimeout as delay } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"

const PATIENCE_MS = 60_000
const AGAIN_MS = 200
/** Postgres ends a connection, is shutting down, or is not up yet; the socket is refused or cut. */
const AWAY_CODES = ["57P01", "57P02", "57P03", "ECONNREFUSED", "ECONNRESET"]
const AWAY_WORDS = /connection (terminated|ended|error)/i

/** Knex makes a runner for each statement. */
type Client = { runner: (statement: unknown) => { run: () => Promise<unknown> } }

/** Asks again while Postgres is away: it is one of the things that this run breaks. */
export function bePatient(knex: Knex): void {
  const client = knex.client as Client
  const runner = client.runner.bind(client)
  client.runner = (statement) => ({
    run: async () => {
      for (const deadline = Date.now() + PATIENCE_MS; ;) {
        try {
          return await runner(statement).run()
        } catch (error) {
          if (!isAway(error) || Date.now() > deadline) {
            throw error
          }
          await delay(AGAIN_MS)
        }
      }
    },
  })
}

function isAway(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return AWAY_CODES.includes(code ?? "") || AWAY_WORDS.test(message ?? "")
}
