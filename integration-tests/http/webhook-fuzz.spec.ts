import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import fc from "fast-check"
import { Pool } from "undici"
import { fuzzedRequests, type FuzzedRequest } from "../fuzz/webhook-bodies"
import { readCommit } from "../support/commit"
import { readEndState, UNPAID } from "../support/end-state"
import { inParallel } from "../support/in-parallel"
import { ledgerRow } from "../support/paid-checkout"
import { nothingIsDue } from "../support/settle-due"
import { describeStore, SECRET_KEY } from "../support/store-under-test"

/** `npm run fuzz` sends a million; the test suite so many. */
const COUNT = Number(process.env["FUZZ_COUNT"] ?? 10_000)
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_125)
/** `FUZZ_REPORT=1` stores the result, which docs/internals/tests.md shows. */
const IS_STORED = process.env["FUZZ_REPORT"] === "1"
const REPORTS = join(__dirname, "../fuzz/reports")
const BATCH = 2000
const CONNECTIONS = 16
const MAX_HEAP_GROWTH_MB = 40

jest.setTimeout(60_000 + COUNT * 20)

describeStore(`fuzzing the webhook, seed ${SEED}`, (store) => {
  it(`${COUNT} bodies: none crashes it, is answered 5xx, is accepted or refused falsely, or stays in memory`, async () => {
    const { cartId, session } = await store.shopper().checkout()
    // Mostly about another shop's request: a genuine one about ours is settled as well, which other specs measure.
    const arbitrary = fc.oneof(
      { arbitrary: fuzzedRequests("another-shops-request", SECRET_KEY), weight: 9 },
      { arbitrary: fuzzedRequests(session.data.payment_request_id, SECRET_KEY), weight: 1 }
    )
    const begunAt = new Date()
    const answers = new Map<number, number>()
    const wrong: { status: number; isGenuine: boolean; body: string }[] = []
    let heapAfterFirst = 0

    for (let sent = 0; sent < COUNT; sent += BATCH) {
      // New connections for each batch. Making a batch keeps this process, which is the server's too, from its timers: an
      // idle connection is closed by the server, after Node's five seconds, at the moment it is used again.
      const pool = new Pool(String(store.http.defaults.baseURL), { connections: CONNECTIONS })
      const requests = fc.sample(arbitrary, { numRuns: Math.min(BATCH, COUNT - sent), seed: SEED + sent })
      const statuses = await inParallel(
        requests.length,
        CONNECTIONS,
        async (index) => await send(pool, requests[index] as FuzzedRequest)
      )
      for (const [index, status] of statuses.entries()) {
        const { isGenuine, isUntouched, bytes } = requests[index] as FuzzedRequest
        answers.set(status, (answers.get(status) ?? 0) + 1)
        const isFalse = status === 200 ? !isGenuine : isUntouched
        if (![200, 400, 401, 413].includes(status) || isFalse) {
          wrong.push({ status, isGenuine, body: bytes.subarray(0, 300).toString("base64") })
        }
      }
      await pool.close()
      heapAfterFirst ||= usedHeapMb()
    }
    const grownMb = usedHeapMb() - heapAfterFirst
    const figures = {
      bodies: COUNT,
      answers: Object.fromEntries(answers),
      heapGrownMb: Number(grownMb.toFixed(1)),
    }
    process.stdout.write(`fuzz, seed ${SEED}: ${JSON.stringify(figures)}\n`)

    expect(wrong).toEqual([])
    expect(answers.get(200)).toBeGreaterThan(COUNT / 20)
    expect(grownMb).toBeLessThan(MAX_HEAP_GROWTH_MB)
    await nothingIsDue(store)
    expect((await ledgerRow(store, session.id)).last_checked_at).not.toBeNull()
    expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
    if (IS_STORED) {
      storeReport(begunAt, figures)
    }
  })
})

/** Of a run in which nothing was wrong. */
function storeReport(begunAt: Date, figures: object): void {
  const seconds = Math.round((Date.now() - begunAt.getTime()) / 1000)
  const report = { commit: readCommit(), begunAt: begunAt.toISOString(), seconds, seed: SEED, ...figures }
  mkdirSync(REPORTS, { recursive: true })
  writeFileSync(join(REPORTS, `webhook-seed-${SEED}.json`), `${JSON.stringify(report, null, 2)}\n`)
}

async function send(pool: Pool, { bytes, method, contentType }: FuzzedRequest): Promise<number> {
  const { statusCode, body } = await pool.request({
    path: "/hooks/payment/crypto_default",
    method,
    body: bytes,
    headers: contentType === "" ? {} : { "content-type": contentType },
  })
  await body.dump()
  return statusCode
}

/** After a full collection, so that what is counted is held by something. */
function usedHeapMb(): number {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  collect()
  return getHeapStatistics().used_heap_size / 2 ** 20
}
