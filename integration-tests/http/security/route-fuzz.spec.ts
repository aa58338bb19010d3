import fc from "fast-check"
import { Pool } from "undici"
import * as settingsForm from "../../../.medusa/server/src/modules/crypto-payments/settings/settings-form"
import * as validators from "../../../.medusa/server/src/api/admin/crypto-payments/validators"
import { CapturedOutput } from "../../support/captured-output"
import { PAID_OK, readEndState, UNPAID } from "../../support/end-state"
import { inParallel } from "../../support/in-parallel"
import { PayPages, WITH_PUBLIC_URL } from "../../support/pay-page"
import { placePaidOrder } from "../../support/paid-checkout"
import { readRouteTable, type Route } from "../../support/route-table"
import { describeStore, type StoreUnderTest } from "../../support/store-under-test"

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
const OURS = /^\/(?:admin\/crypto-payments|store\/crypto-payments|crypto-payments|hooks\/payment)(?:[/?]|$)/i

jest.setTimeout(120_000 + COUNT * 30)

describeStore(
  `fuzzing the routes, seed ${SEED}`,
  (store) => {
    it(`${COUNT} requests: none is answered 5xx, is logged without a code or changes a payment`, async () => {
      const open = await store.shopper().checkout()
      const paid = await placePaidOrder(store)
      // Of an order that owes nothing: a page of another one would lead to payment links.
      const payPage = await new PayPages(store).of(paid.orderId)
      const areas = (["admin", "store", "crypto-payments"] as const).flatMap(readRouteTable)
      const routes = [...areas, ...WEBHOOKS]
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
          payPage.split("/").at(-1) ?? "",
          "pp_crypto_default",
          "default",
          "USD",
        ],
        names: namesOfFields(),
        logins: [
          {
            ...(await store.admin()).headers,
            "x-publishable-api-key": store.seeded.publishableKey,
            "x-cart-id": open.cartId,
          },
        ],
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
  },
  WITH_PUBLIC_URL
)

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
  const schemas = [validators, settingsForm].flatMap((module) => Object.values(module))
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

/** One request at a route of ours: its address as it goes over the wire, and the rest of it. */
interface RouteRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | undefined
}

/** What a request may name that exists, so that some get past the first check. */
interface Known {
  ids: readonly string[]
  /** Names of query parameters and of fields of bodies. */
  names: readonly string[]
  /** Headers of who is logged in, or has the publishable key. */
  logins: readonly Record<string, string>[]
}

const weighted = <T>(...choices: [weight: number, arbitrary: fc.Arbitrary<T>][]): fc.Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

const HOSTILE_TEXTS = [
  ..."| |.|..|../../etc/passwd|\u0000|a\u0000b|\ud800|x\udc00|\u202eabc|عائشة|💶|' OR 1=1 --|%|%00".split(
    "|"
  ),
  ..."%25|$where|__proto__|constructor|toString|null|undefined|NaN|-1|0|1e400|99999999999999999999".split(
    "|"
  ),
  ..."0x10|2026-02-31|-271821-04-20|+275760-09-13|Asia/Dubai|Etc/GMT+99|<script>".split("|"),
  "a".repeat(3000),
]
const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ maxLength: 30 }),
  fc.constantFrom(...HOSTILE_TEXTS)
)

/** None is an amount that can be refunded: what an admin may do is no fault. */
const hostileNumber = fc.constantFrom(0, -0, -1, 2 ** 31, 2 ** 53, 1e21, 1e308, 5e-324, 0.1 + 0.2)

/** Not the name of a property of every object: core's validators answer 500 to it, at each of core's own routes too. */
const hostileKey = (known: Known): fc.Arbitrary<string> =>
  weighted(
    [5, fc.constantFrom(...known.names)],
    [1, hostileText.filter((text) => !(text in Object.prototype))]
  )

const hostileValue = (known: Known): fc.Arbitrary<unknown> =>
  fc.letrec((again) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      hostileText,
      fc.constantFrom(...known.ids),
      hostileNumber,
      fc.constantFrom(null, true, false, [], {}),
      fc.array(again("value"), { maxLength: 3 }),
      fc.array(fc.tuple(hostileKey(known), again("value")), { maxLength: 3 }).map(recordOf)
    ),
  })).value

/** `__proto__` as a field of its own, as JSON.parse makes it. */
function recordOf(fields: [string, unknown][]): object {
  const record: object = {}
  for (const [name, value] of fields) {
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return record
}

/** Percent-encoded UTF-8; half of a surrogate pair as the three bytes that some programs send. */
function encode(text: string): string {
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0
      if (code >= 0xd800 && code <= 0xdfff) {
        const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
        return bytes.map((byte) => `%${byte.toString(16)}`).join("")
      }
      return encodeURIComponent(character)
    })
    .join("")
}

/** Percent signs that are no UTF-8, no hexadecimal, or cut off. */
const badEncoding = fc.constantFrom(..."%ff|%|%f|%zz|%c0%af|%ed%a0%80|%E0%A4%A|%00|%u0041".split("|"))

const segment = (known: Known): fc.Arbitrary<string> =>
  weighted(
    [5, fc.constantFrom(...known.ids).map(encode)],
    [3, hostileText.map(encode)],
    [1, badEncoding],
    [1, fc.tuple(fc.constantFrom(...known.ids), badEncoding).map((parts) => parts.join(""))]
  )

const addressed = (route: Route, known: Known): fc.Arbitrary<string> => {
  const names = [...route.path.matchAll(/:\w+/g)]
  return fc
    .tuple(...names.map(() => segment(known)))
    .map((values) => route.path.replaceAll(/:\w+/g, () => values.shift() ?? ""))
}

type Respelling = (path: string, at: number) => string
const respellings: Respelling[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  (path) => `${path}/..`,
  (path) => `${path};a=b`,
  (path) => `${path}%2f`,
  (path) => `${path}\\`,
  (path) => path.replaceAll("-", "%2D"),
  (path) => `${path}/%ff`,
  (path, at) =>
    path.replace(/\w(?=\w*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`).slice(0, at + 40),
  (path, at) => `${path.slice(0, at)}/../${path.slice(at)}`,
  (path, at) => `${path.slice(0, at)}%00${path.slice(at)}`,
  (path, at) => `${path.slice(0, at)}\u00ff${path.slice(at)}`,
]

const spelled = (route: Route, known: Known): fc.Arbitrary<string> =>
  weighted(
    [5, addressed(route, known)],
    [
      2,
      fc
        .tuple(addressed(route, known), fc.constantFrom(...respellings), fc.integer({ min: 1, max: 60 }))
        .map(([path, respell, at]) => respell(path, at)),
    ]
  )

const query = (known: Known): fc.Arbitrary<string> => {
  const name = fc
    .tuple(
      // Core's validators answer 500 to a name with two dots.
      hostileKey(known).map((key) => encode(key.replaceAll(".", ""))),
      fc.constantFrom(..."|||[]|[a]|[$gte]|[0]|[a][b][c][d][e][f][g][h]|[".split("|"))
    )
    .map((parts) => parts.join(""))
  const value = weighted(
    [5, hostileText.map(encode)],
    [2, fc.constantFrom(...known.ids).map(encode)],
    [1, badEncoding],
    [1, hostileNumber.map(String)]
  )
  return weighted(
    [2, fc.constant("")],
    [
      3,
      fc
        .array(
          fc.tuple(name, value).map((pair) => pair.join("=")),
          { minLength: 1, maxLength: 4 }
        )
        .map((pairs) => `?${pairs.join("&")}`),
    ],
    [1, fc.constantFrom("?", "?&&&=", "?=", "??", "?%ff", "?__proto__=1", `?q=${"[".repeat(2000)}`)]
  )
}

type Sent = Pick<RouteRequest, "body" | "headers">
const JSON_TYPE = { "content-type": "application/json" }

const body = (known: Known): fc.Arbitrary<Sent> => {
  const record = fc.array(fc.tuple(hostileKey(known), hostileValue(known)), { maxLength: 5 }).map(recordOf)
  const asJson = (text: string): Sent => ({ body: Buffer.from(text), headers: JSON_TYPE })
  return weighted(
    [1, fc.constant({ body: undefined, headers: {} })],
    [8, record.map((fields) => asJson(JSON.stringify(fields)))],
    [2, hostileValue(known).map((value) => asJson(JSON.stringify(value)))],
    [
      1,
      fc
        .tuple(
          hostileKey(known),
          fc.constantFrom("1e400", "-1e400", "1e-400", '"\\ud800"', '"\\u0000"', "9".repeat(400))
        )
        .map(([name, value]) => asJson(`{${JSON.stringify(name)}:${value}}`)),
    ],
    [
      1,
      fc
        .tuple(
          fc.constantFrom(...known.names),
          fc.integer({ min: 15, max: 1000 }),
          fc.constantFrom("[", '{"a":')
        )
        .map(([name, depth, open]) =>
          asJson(`{"${name}":${open.repeat(depth)}1${(open === "[" ? "]" : "}").repeat(depth)}}`)
        ),
    ],
    [1, fc.uint8Array({ maxLength: 60 }).map((bytes) => ({ body: Buffer.from(bytes), headers: JSON_TYPE }))],
    [
      1,
      fc
        .tuple(
          record.map((fields) => Buffer.from(JSON.stringify(fields))),
          fc.constantFrom<Record<string, string>>(
            { "content-type": "application/x-www-form-urlencoded" },
            { "content-type": "text/plain" },
            { "content-type": "multipart/form-data; boundary=x" },
            { "content-type": "application/json; charset=utf-16" },
            { "content-type": "application/vnd.api+json" },
            { "content-type": "\u00ff" },
            { ...JSON_TYPE, "content-encoding": "gzip" },
            { ...JSON_TYPE, "content-encoding": "br" },
            {}
          )
        )
        .map(([bytes, headers]) => ({ body: bytes, headers })),
    ]
  )
}

/** Requests at these routes, from nearly right to absurd. */
function routeRequests(routes: readonly Route[], known: Known): fc.Arbitrary<RouteRequest> {
  return fc.constantFrom(...routes).chain((route) =>
    fc
      .record({
        method: weighted([6, fc.constant(route.method)], [1, fc.constantFrom(...METHODS)]),
        path: spelled(route, known),
        query: query(known),
        sent: body(known),
        login: weighted(
          [12, fc.constantFrom(...known.logins)],
          [1, fc.constant({})],
          [1, fc.constant({ authorization: "Bearer \u00ff", "x-publishable-api-key": "__proto__" })]
        ),
      })
      .map(({ method, path, query, sent, login }) => {
        const bears = method !== "GET" && method !== "HEAD"
        return {
          method,
          path: `${path}${query}`,
          headers: { ...login, ...(bears ? sent.headers : {}) },
          body: bears ? sent.body : undefined,
        }
      })
  )
}
