import { createHmac } from "node:crypto"
import { createAuthenticator, requestSignature, type GatewayAuth, type GatewayAuthRequest } from "./auth"
import { GatewayClient } from "./client"
import type { GatewayClientOptions } from "./client"
import { FakeGateway, json, otherEnvelope, raw, readEnvelope, wirePaymentRequest } from "./fake-gateway.spec"

const good = json(otherEnvelope([]))

let gateway: FakeGateway
let client: GatewayClient | null

function connect(auth: GatewayAuth, options: Partial<GatewayClientOptions> = {}): GatewayClient {
  client = new GatewayClient({ baseUrl: gateway.baseUrl, auth, ...options })
  return client
}

beforeEach(async () => {
  client = null
  gateway = new FakeGateway()
  gateway.script = [good]
  await gateway.start()
})

afterEach(async () => {
  await gateway.stop()
})

describe("auth", () => {
  it("none sends no credentials", async () => {
    await connect({ type: "none" }).listBalances()
    expect(Object.keys(gateway.received[0]?.headers ?? {}).sort()).toEqual([
      "accept",
      "accept-encoding",
      "cache-control",
      "connection",
      "host",
      "user-agent",
    ])
    expect(gateway.received[0]?.headers["user-agent"]).toBe("medusa-payment-crypto")
  })

  it("bearer sends the token", async () => {
    await connect({ type: "bearer", token: "t-1" }).listBalances()
    expect(gateway.received[0]?.headers.authorization).toBe("Bearer t-1")
  })

  it("basic sends user name and password in UTF-8", async () => {
    await connect({ type: "basic", username: "shop", password: "pä:ss" }).listBalances()
    // printf '%s' 'shop:pä:ss' | base64
    expect(gateway.received[0]?.headers.authorization).toBe("Basic c2hvcDpww6Q6c3M=")
  })

  it("headers sends the headers", async () => {
    await connect({ type: "headers", headers: { "X-Key": "a", "User-Agent": "b" } }).listBalances()
    expect(gateway.received[0]?.headers).toMatchObject({ "x-key": "a", "user-agent": "b" })
  })

  it("a function is given method, address, path and body as they are sent", async () => {
    const seen: GatewayAuthRequest[] = []
    const auth = (request: GatewayAuthRequest) => {
      seen.push(request)
      return Promise.resolve({ "X-Signed": "yes" })
    }
    gateway.script = [json(readEnvelope([])), json(otherEnvelope(wirePaymentRequest()))]
    const calls = connect(auth)
    await calls.listPaymentRequests({ page: 2 })
    await calls.createPaymentRequest({
      currencySymbol: "AED",
      amount: "1",
      successUrl: "https://shop.example/s",
      failedUrl: "https://shop.example/f",
      payerEmailAddress: "ä@example.com",
    })
    const path = "/api/v1/api/payments"
    expect(seen).toEqual([
      { method: "GET", url: `http://${gateway.host}${path}?page=2`, path, body: null },
      { method: "POST", url: `http://${gateway.host}${path}`, path, body: gateway.received[1]?.body },
    ])
    expect(gateway.received).toMatchObject([
      { headers: { "x-signed": "yes" } },
      { headers: { "x-signed": "yes" } },
    ])
  })

  it("a function is called once per call, its headers serve all attempts", async () => {
    const auth = jest.fn(() => ({ "X-Key": "a" }))
    gateway.script = [raw("", 503), good]
    await connect(auth).listBalances()
    expect(auth).toHaveBeenCalledTimes(1)
    expect(gateway.received).toMatchObject([{ headers: { "x-key": "a" } }, { headers: { "x-key": "a" } }])
  })

  it.each<[string, GatewayAuth]>([
    [
      "throws",
      () => {
        throw new Error("no token")
      },
    ],
    ["rejects", () => Promise.reject(new Error("no token"))],
    ["gives a line break", () => ({ "X-Key": "a\r\nX-Evil: 1" })],
    ["gives no headers", () => null as unknown as Record<string, string>],
    ["sets a framing header", () => ({ "Content-Length": "0" })],
  ])("a function that %s fails the call unsent", async (_what, auth) => {
    await expect(connect(auth).listBalances()).rejects.toMatchObject({
      code: "gateway_unavailable",
      outcomeUnknown: false,
    })
    expect(gateway.received).toEqual([])
  })
})

describe("an authenticator", () => {
  const request = { method: "GET", url: "https://gateway.example/v1", path: "/v1", body: null } as const
  const shape = " must be an object of header names and values"
  const empty = " must be a non-empty string"
  const unsendable = " cannot be sent as a header: look for blanks, line breaks and special characters"
  const signature = { type: "signature", apiKey: "api-1" } as const

  it.each<[string, unknown]>([
    [`auth.token${empty}`, { type: "bearer", token: "" }],
    [`auth.token${empty}`, { type: "bearer" }],
    [`auth.token${unsendable}`, { type: "bearer", token: "a\n" }],
    [`auth.username${empty}`, { type: "basic", username: "", password: "x" }],
    [`auth.password${empty}`, { type: "basic", username: "x" }],
    ["auth.username must not contain a colon", { type: "basic", username: "a:b", password: "x" }],
    [`auth.headers${shape}`, { type: "headers" }],
    [`auth.headers${shape}`, { type: "headers", headers: null }],
    [`auth.headers${shape}`, { type: "headers", headers: "x-key: a" }],
    [`auth.headers${empty}`, { type: "headers", headers: { "x-key": "" } }],
    [`auth.headers${unsendable}`, { type: "headers", headers: { "x key": "a" } }],
    ...["connection", "content-length", "host", "Transfer-Encoding", "upgrade"].map(
      (name): [string, unknown] => [
        `auth.headers${unsendable}`,
        { type: "headers", headers: { [name]: "1" } },
      ]
    ),
    [`auth.secretKey (or secretKey)${empty}`, signature],
    [`auth.apiKey${empty}`, { ...signature, apiKey: "", secretKey: "k" }],
    [
      `auth.apiKey or auth.headerNames${unsendable}`,
      { ...signature, secretKey: "k", headerNames: { timestamp: "a b" } },
    ],
    ["auth.type must be none, bearer, basic, headers or signature", { type: "cookie" }],
  ])("is refused: %s", (message, auth) => {
    expect(() => createAuthenticator(auth as GatewayAuth, undefined)).toThrow(new TypeError(message))
  })

  it.each([null, "x-key: a"])("of a function that gives %p fails its call", async (headers) => {
    const authenticate = createAuthenticator(() => headers as never, undefined)
    await expect(authenticate(request)).rejects.toThrow(
      new TypeError(`the headers of the auth function${shape}`)
    )
  })

  it("names headers in lower case, so that one of ours can be replaced and is not sent twice", async () => {
    const authenticate = createAuthenticator({ type: "headers", headers: { Accept: "a/b" } }, undefined)
    expect(await authenticate(request)).toEqual({ accept: "a/b" })
  })
})

// Computed outside this code, with OpenSSL 3.0; the same values are in docs/gateway.md:
//   printf '%s' 'GET/api/v1/api/payments1700000000' | openssl dgst -sha256 -hmac 'sandbox-secret-key'
const vectors = [
  {
    method: "GET",
    path: "/api/v1/api/payments",
    timestamp: 1700000000,
    digest: "2596d9492fe43e46c05adfb3abb44467660e0e399b30c3429289f8f2426716bd",
  },
  {
    method: "POST",
    path: "/api/v1/api/payments",
    timestamp: 1700000000,
    digest: "a0b53f32e244f4cb8f11e2ee844fe29858f6a72ad6b31dd95545a478f49a6feb",
  },
  {
    method: "GET",
    path: "/api/payments/pr_0001",
    timestamp: 1700000001,
    digest: "50131cd185da65f351608a1a1207ece168602e606cfe364ff0fdaadac5fbf431",
  },
  {
    method: "GET",
    path: "/api/v1/api/balances/AED",
    timestamp: 1767225600,
    digest: "2e245995652d3298198007fcb73518e4e7a7617f2bee2202e94c91d5ad8fe0a9",
  },
]

it.each(vectors)(
  "requestSignature is the published value for $method $path at $timestamp",
  ({ digest, ...signed }) => {
    expect(requestSignature({ ...signed, secretKey: "sandbox-secret-key" })).toBe(digest)
  }
)

describe("auth signature", () => {
  // Written again here on purpose: a gateway's view of the scheme, not a call of ours.
  function expected(method: string, path: string, timestamp: string, key: string): string {
    return createHmac("sha256", key)
      .update(method + path + timestamp)
      .digest("hex")
  }

  function header(name: string, index = 0): string {
    return String(gateway.received[index]?.headers[name])
  }

  it("signs method, whole path and unix seconds; the query is not signed", async () => {
    gateway.script = [json(readEnvelope([]))]
    const before = Math.floor(Date.now() / 1000)
    await connect({ type: "signature", apiKey: "api-1", secretKey: "key-1" }).listPaymentRequests({ page: 2 })
    const timestamp = header("x-palla-timestamp")
    expect(Number(timestamp)).toBeGreaterThanOrEqual(before)
    expect(Number(timestamp)).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000))
    expect(timestamp).toMatch(/^\d+$/)
    expect(header("x-palla-api-key")).toBe("api-1")
    expect(header("x-palla-sign")).toBe(expected("GET", "/api/v1/api/payments", timestamp, "key-1"))
  })

  it("falls back to the client's secret key", async () => {
    await connect({ type: "signature", apiKey: "api-1" }, { secretKey: "key-2" }).listBalances()
    const timestamp = header("x-palla-timestamp")
    expect(header("x-palla-sign")).toBe(expected("GET", "/api/v1/api/balances", timestamp, "key-2"))
  })

  it("uses the header names given", async () => {
    const headerNames = { apiKey: "X-A", timestamp: "X-T", signature: "X-S" }
    await connect({ type: "signature", apiKey: "api-1", secretKey: "key-1", headerNames }).listBalances()
    expect(header("x-a")).toBe("api-1")
    expect(header("x-s")).toBe(expected("GET", "/api/v1/api/balances", header("x-t"), "key-1"))
    expect(gateway.received[0]?.headers["x-palla-sign"]).toBeUndefined()
  })
})

describe("options", () => {
  const bad: [string, RegExp, Partial<GatewayClientOptions>][] = [
    ["an address that is not private", /^baseUrl/, { baseUrl: "http://gateway.example/s3cret" }],
    ["credentials in the address", /^baseUrl/, { baseUrl: "https://user:s3cret@gateway.example" }],
    ["a token with a line break", /^auth\.token/, { auth: { type: "bearer", token: "s3cret\n" } }],
    [
      "a user name with a colon",
      /^auth\.username/,
      { auth: { type: "basic", username: "s3cret:", password: "x" } },
    ],
    [
      "a header name with a space",
      /^auth\.headers/,
      { auth: { type: "headers", headers: { "a b": "s3cret" } } },
    ],
    ["a framing header", /^auth\.headers/, { auth: { type: "headers", headers: { Host: "s3cret" } } }],
    ["a signature without any key", /^auth\.secretKey/, { auth: { type: "signature", apiKey: "s3cret" } }],
    ["an unknown auth type", /^auth\.type/, { auth: { type: "s3cret" } as unknown as GatewayAuth }],
  ]

  it.each(bad)("refuse %s, naming the option and not its value", (_what, name, options) => {
    const make = () => new GatewayClient({ baseUrl: "https://gateway.example", ...options })
    expect(make).toThrow(TypeError)
    expect(make).toThrow(name)
    expect(make).not.toThrow(/s3cret/)
  })
})
