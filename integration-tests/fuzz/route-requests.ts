import fc from "fast-check"
import type { Route } from "../support/route-table"

/** One request at a route of ours: its address as it goes over the wire, and the rest of it. */
export interface RouteRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | undefined
}

/** What a request may name that exists, so that some get past the first check. */
export interface Known {
  ids: readonly string[]
  /** Names of query parameters and of fields of bodies. */
  names: readonly string[]
  /** Headers of who is logged in, or has the publishable key. */
  logins: readonly Record<string, string>[]
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ maxLength: 30 }),
  fc.constantFrom(
    "",
    " ",
    ".",
    "..",
    "../../etc/passwd",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "x\udc00",
    "\u202eabc",
    "عائشة",
    "💶",
    "' OR 1=1 --",
    "%",
    "%00",
    "%25",
    "$where",
    "__proto__",
    "constructor",
    "toString",
    "null",
    "undefined",
    "NaN",
    "-1",
    "0",
    "1e400",
    "99999999999999999999",
    "0x10",
    "2026-02-31",
    "-271821-04-20",
    "+275760-09-13",
    "Asia/Dubai",
    "Etc/GMT+99",
    "<script>",
    "a".repeat(3000)
  )
)

/** None is an amount that can be refunded: what an admin may do is no fault. */
const hostileNumber = fc.constantFrom(0, -0, -1, 2 ** 31, 2 ** 53, 1e21, 1e308, 5e-324, 0.1 + 0.2)

const hostileKey = (known: Known): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...known.names), weight: 5 },
    { arbitrary: hostileText, weight: 1 },
    { arbitrary: fc.constantFrom("__proto__", "constructor", "toString", "valueOf"), weight: 1 }
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
const badEncoding = fc.constantFrom(
  "%ff",
  "%",
  "%f",
  "%zz",
  "%c0%af",
  "%ed%a0%80",
  "%E0%A4%A",
  "%00",
  "%u0041"
)

const segment = (known: Known): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...known.ids).map(encode), weight: 5 },
    { arbitrary: hostileText.map(encode), weight: 3 },
    { arbitrary: badEncoding, weight: 1 },
    {
      arbitrary: fc.tuple(fc.constantFrom(...known.ids), badEncoding).map((parts) => parts.join("")),
      weight: 1,
    }
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
  fc.oneof(
    { arbitrary: addressed(route, known), weight: 5 },
    {
      arbitrary: fc
        .tuple(addressed(route, known), fc.constantFrom(...respellings), fc.integer({ min: 1, max: 60 }))
        .map(([path, respell, at]) => respell(path, at)),
      weight: 2,
    }
  )

const query = (known: Known): fc.Arbitrary<string> => {
  const name = fc
    .tuple(
      hostileKey(known).map(encode),
      fc.constantFrom(
        "",
        "",
        "",
        "[]",
        "[a]",
        "[__proto__]",
        "[toString]",
        ".a.b",
        "[$gte]",
        "[0]",
        "[a][b][c][d][e][f][g][h]",
        "["
      )
    )
    .map((parts) => parts.join(""))
  const value = fc.oneof(
    { arbitrary: hostileText.map(encode), weight: 5 },
    { arbitrary: fc.constantFrom(...known.ids).map(encode), weight: 2 },
    { arbitrary: badEncoding, weight: 1 },
    { arbitrary: hostileNumber.map(String), weight: 1 }
  )
  return fc.oneof(
    { arbitrary: fc.constant(""), weight: 2 },
    {
      arbitrary: fc
        .array(
          fc.tuple(name, value).map((pair) => pair.join("=")),
          { minLength: 1, maxLength: 4 }
        )
        .map((pairs) => `?${pairs.join("&")}`),
      weight: 3,
    },
    {
      arbitrary: fc.constantFrom("?", "?&&&=", "?=", "??", "?%ff", "?__proto__=1", `?q=${"[".repeat(2000)}`),
      weight: 1,
    }
  )
}

type Sent = Pick<RouteRequest, "body" | "headers">
const JSON_TYPE = { "content-type": "application/json" }

const body = (known: Known): fc.Arbitrary<Sent> => {
  const record = fc.array(fc.tuple(hostileKey(known), hostileValue(known)), { maxLength: 5 }).map(recordOf)
  const asJson = (text: string): Sent => ({ body: Buffer.from(text), headers: JSON_TYPE })
  return fc.oneof(
    { arbitrary: fc.constant({ body: undefined, headers: {} }), weight: 1 },
    { arbitrary: record.map((fields) => asJson(JSON.stringify(fields))), weight: 8 },
    { arbitrary: hostileValue(known).map((value) => asJson(JSON.stringify(value))), weight: 2 },
    {
      arbitrary: fc
        .tuple(
          hostileKey(known),
          fc.constantFrom("1e400", "-1e400", "1e-400", '"\\ud800"', '"\\u0000"', "9".repeat(400))
        )
        .map(([name, value]) => asJson(`{${JSON.stringify(name)}:${value}}`)),
      weight: 1,
    },
    {
      arbitrary: fc
        .tuple(
          fc.constantFrom(...known.names),
          fc.integer({ min: 15, max: 40_000 }),
          fc.constantFrom("[", '{"a":')
        )
        .map(([name, depth, open]) =>
          asJson(`{"${name}":${open.repeat(depth)}1${(open === "[" ? "]" : "}").repeat(depth)}}`)
        ),
      weight: 1,
    },
    {
      arbitrary: fc
        .uint8Array({ maxLength: 60 })
        .map((bytes) => ({ body: Buffer.from(bytes), headers: JSON_TYPE })),
      weight: 1,
    },
    {
      arbitrary: fc
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
      weight: 1,
    }
  )
}

/** Requests at these routes, from nearly right to absurd. */
export function routeRequests(routes: readonly Route[], known: Known): fc.Arbitrary<RouteRequest> {
  return fc.constantFrom(...routes).chain((route) =>
    fc
      .record({
        method: fc.oneof(
          { arbitrary: fc.constant(route.method), weight: 6 },
          { arbitrary: fc.constantFrom(...METHODS), weight: 1 }
        ),
        path: spelled(route, known),
        query: query(known),
        sent: body(known),
        login: fc.oneof(
          { arbitrary: fc.constantFrom(...known.logins), weight: 12 },
          { arbitrary: fc.constant({}), weight: 1 },
          {
            arbitrary: fc.constant({ authorization: "Bearer \u00ff", "x-publishable-api-key": "__proto__" }),
            weight: 1,
          }
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
