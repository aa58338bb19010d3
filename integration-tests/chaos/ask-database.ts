import { setTimeout as delay } from "node:timers/promises"

const PATIENCE_MS = 60_000
const AGAIN_MS = 200
/** Postgres ends a connection, is shutting down, or is not up yet; the socket is refused or cut. */
const AWAY_CODES = ["57P01", "57P02", "57P03", "ECONNREFUSED", "ECONNRESET"]
const AWAY_WORDS = /connection (terminated|ended|error)/i

/** A question of the runner's own, asked again while Postgres is away: it is one of the things that this run breaks. */
export async function askDatabase<Answer>(ask: () => PromiseLike<Answer>): Promise<Answer> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isAway(error) || Date.now() > deadline) {
        throw error
      }
      await delay(AGAIN_MS)
    }
  }
}

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false
  }
  const { code } = error as { code?: string }
  return AWAY_CODES.includes(code ?? "") || AWAY_WORDS.test(error.message)
}
