import fc from "fast-check"
import { Pool } from "undici"
import * as settingsValidators from "../../.medusa/server/src/api/admin/crypto-payments/settings-validators"
import * as validators from "../../.medusa/server/src/api/admin/crypto-payments/validators"
import * as storeValidators from "../../.medusa/server/src/api/store/crypto-payments/validators"
import { routeRequests, type Known, type RouteRequest } from "../fuzz/route-requests"
import { CapturedOutput } from "../support/captured-output"
import { PAID_OK, readEndState, UNPAID } from "../support/end-state"
import { inParallel } from "../support/in-parallel"
import { placePaidOrder } from "../support/paid-checkout"
import { readRouteTable, type Route } from "../support/route-table"
import { describeStore, type StoreUnderTest } from "../support/store-under-test"

/** So many at all routes together. docs/internals/tests.md says how to send more. */
const COUNT = Number(process.env["ROUTE_FUZZ_COUNT"] ?? 20_000)
const SEED = Number(process.env["ROUTE_FUZZ_SEED"] ?? 20_261_125)
/** The number of one request, as a failure names it: with its seed, that one is sent alone. */
const ONLY = process.env["ROUTE_FUZZ_ONLY"]
const BATCH = 1000
const CONNECTIONS = 16

const WEBHOOKS: Route[] = ["crypto_", "pp_crypto_"].flatMap((prefix) =>
  ["POST", "PUT"].map((method) => ({ method, path: `/hooks/payment/${prefix}:id` }))
)

/** A spelling that leaves our addresses is answered by core. */
const OURS = /^\/(?:admin\/crypto-payments|store\/crypto-payments|hooks\/payment)(?:[/?]|$)/i

jest.setTimeout(120_000 + COUNT * 30)

describeStore(`fuzzing the routes, seed ${SEED}`, (store) => {
  it(`${COUNT} requests: none is answered 5xx, is logged without a code or changes a payment`, async () => {
    const open = await store.shopper().checkout()
    const paid = await placePaidOrder(store)
    const routes = [...readRouteTable("admin"), ...readRouteTable("store"), ...WEBHOOKS]
    const { id } = await store
      .knex("crypto_payment_request")
      .where({ session_id: open.session.id })
      .first("id")
    const known: Known = {
      ids: [
        id as string,
        paid.id,
        paid.orderId,
        open.session.id,
        open.cartId,
        open.session.data.payment_request_id,
        "pp_crypto_default",
        "default",
        "USD",
      ],
      names: namesOfFields(),
      logins: [{ ...(await store.admin()).headers, "x-publishable-api-key": store.seeded.publishableKey }],
    }
    const before = await readPayments(store)
    const arbitrary = routeRequests(routes, known)
    const answers = new Map<number, number>()
    const wrong: unknown[] = []
    const output = new CapturedOutput(store, "info")
    output.start()
    const startedMs = performance.now()
    for (let sent = 0; sent < COUNT; sent += BATCH) {
      const pool = new Pool(String(store.http.defaults.baseURL), { connections: CONNECTIONS })
      const requests = fc.sample(arbitrary, { numRuns: Math.min(BATCH, COUNT - sent), seed: SEED + sent })
      await inParallel(requests.length, CONNECTIONS, async (index) => {
        if (ONLY !== undefined && ONLY !== String(sent + index)) {
          return
        }
        const request = requests[index] as RouteRequest
        const { status, text } = await send(pool, request)
        answers.set(status, (answers.get(status) ?? 0) + 1)
        if (ONLY !== undefined) {
          process.stdout.write(`${JSON.stringify({ status, text, ...describeRequest(request) })}\n`)
        }
        if (status >= 500 && OURS.test(request.path) && !isUndecodableForCore(request)) {
          const again = `ROUTE_FUZZ_SEED=${SEED} ROUTE_FUZZ_ONLY=${sent + index}`
          wrong.push({ again, status, text, ...describeRequest(request) })
        }
      })
      await pool.close()
    }
    output.stop()
    process.stdout.write(
      `route fuzz: ${COUNT} requests, seed ${SEED}, ${((performance.now() - startedMs) / 1000).toFixed()} s; ${JSON.stringify(Object.fromEntries(answers))}\n`
    )

    expect(wrong.slice(0, 20)).toEqual([])
    expect(linesWithoutCode(output.text).slice(0, 20)).toEqual([])
    if (ONLY === undefined) {
      expect(answers.get(200)).toBeGreaterThan(COUNT / 50)
    }
    expect(await readPayments(store)).toEqual(before)
    expect(await readEndState(store.knex, open.cartId)).toEqual(UNPAID)
    expect(await readEndState(store.knex, paid.cartId)).toEqual(PAID_OK)
  })
})

/**
 * Core's first middleware of `/admin` has a parameter. Where Express cannot decode that, core answers 500 to whoever is
 * logged in, at every address below `/admin`, before a plugin is asked.
 */
function isUndecodableForCore({ path }: RouteRequest): boolean {
  try {
    decodeURIComponent(path.split("?")[0] ?? "")
    return false
  } catch {
    return /^\/admin\//i.test(path)
  }
}

/** Of every query and body that our routes read. */
function namesOfFields(): string[] {
  const schemas = [validators, settingsValidators, storeValidators].flatMap((module) => Object.values(module))
  return [...new Set(schemas.flatMap((schema) => Object.keys((schema as { shape?: object }).shape ?? {})))]
}

async function send(pool: Pool, request: RouteRequest): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await pool.request({
    path: request.path,
    method: request.method,
    headers: request.headers,
    ...(request.body === undefined ? {} : { body: request.body }),
  })
  const text = await body.text()
  return { status: statusCode, text: text.slice(0, 300) }
}

function describeRequest({ method, path, headers, body }: RouteRequest): object {
  return {
    method,
    path: path.slice(0, 1000),
    contentType: headers["content-type"],
    body: body?.subarray(0, 300).toString("latin1"),
  }
}

/** Every payment request, without what looking at it may change. */
async function readPayments(store: StoreUnderTest): Promise<unknown[]> {
  return await store
    .knex("crypto_payment_request")
    .select("id", "state", "paid_at", "settled_at", "attention_reason", "amount", "session_id", "order_id")
    .orderBy("id")
}

/** Warnings and errors, each of which is to name a code. What core says of a 4xx is information. */
function linesWithoutCode(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => /"level":"(?:warn|error)"|^\s+at |Unhandled|Error:/.test(line))
    .filter((line) => !line.includes("Failed to decode param")) // Core's, see above.
    .filter((line) => !/\((?:[a-z_]+)(?:, [^)]*)?\)/.test(line))
}
