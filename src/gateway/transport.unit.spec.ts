import { createServer } from "node:net"
import type { AddressInfo, Socket } from "node:net"
import { GatewayClient } from "./client"
import type { GatewayClientOptions } from "./client"
import { GatewayUnavailable } from "./errors/gateway-unavailable"
import {
  FakeGateway,
  breakOff,
  json,
  otherEnvelope,
  raw,
  reset,
  silence,
  wirePaymentRequest,
} from "./fake-gateway.spec"
import type { Responder } from "./fake-gateway.spec"
import type { CreatePaymentRequestInput } from "./types"

const good = json(otherEnvelope({ asset: "AED", value: "1.00", locked: "0.00" }))
const created = json(otherEnvelope(wirePaymentRequest({ payment_status: "PENDING" })))
const input: CreatePaymentRequestInput = {
  currencySymbol: "AED",
  amount: "129.90",
  successUrl: "https://shop.example/return",
  failedUrl: "https://shop.example/failed",
  payerEmailAddress: "buyer@example.com",
}

let gateway: FakeGateway
let clients: GatewayClient[]

function connect(options: Partial<GatewayClientOptions> = {}): GatewayClient {
  const client = new GatewayClient({ baseUrl: gateway.baseUrl, ...options })
  clients.push(client)
  return client
}

/** Undici gives a connection back one turn of the event loop after the answer. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** What a call fails with, which must be GatewayUnavailable. */
async function unavailable(call: Promise<unknown>): Promise<GatewayUnavailable> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason
  )
  expect(error).toBeInstanceOf(GatewayUnavailable)
  return error as GatewayUnavailable
}

beforeEach(async () => {
  clients = []
  gateway = new FakeGateway()
  await gateway.start()
})

afterEach(async () => {
  await gateway.stop()
  await Promise.all(clients.map((client) => client.close()))
})

const chunkedCut: Responder = (response) => {
  response.writeHead(200, { connection: "close" })
  response.write('{"data":', () => response.socket?.end())
}

const faults: [string, Responder][] = [
  ["500", json({ message: "x" }, 500)],
  ["501", raw("no", 501)],
  ["502 with an HTML page", raw("<html>", 502)],
  ["503 with a page over 1 MB", raw("x".repeat(1024 * 1024 + 1), 503)],
  ["503 whose page breaks off", breakOff("<html>", 503)],
  ["504", raw("", 504)],
  ["599", raw("", 599)],
  ["408", raw("", 408)],
  ["429", raw("", 429)],
  ["a reset before the answer", reset],
  ["a reset inside the answer", breakOff('{"data":{"asset":"AED",')],
  ["a chunked answer cut short", chunkedCut],
]

describe("reads", () => {
  it.each(faults)("are tried again after %s", async (_what, fault) => {
    gateway.script = [fault, good]
    await expect(connect().readBalance("AED")).resolves.toMatchObject({ asset: "AED" })
    expect(gateway.received).toHaveLength(2)
  })

  it.each(faults)("are given up after three attempts on %s", async (_what, fault) => {
    gateway.script = [fault]
    const error = await unavailable(connect().readBalance("AED"))
    expect(error).toMatchObject({ code: "gateway_unavailable", outcomeUnknown: true })
    expect(gateway.received).toHaveLength(3)
  })

  it.each([400, 404])("are not tried again after a %i, though its page breaks off", async (status) => {
    gateway.script = [breakOff("<html>", status)]
    await expect(connect().readBalance("AED")).rejects.toMatchObject({ httpStatus: status })
    expect(gateway.received).toHaveLength(1)
  })

  it("succeed on the third attempt, faults mixed", async () => {
    gateway.script = [reset, raw("", 503), good]
    await expect(connect().readBalance("AED")).resolves.toMatchObject({ asset: "AED" })
  })

  it("are tried again after a silent attempt, within the deadline", async () => {
    gateway.script = [silence, good]
    await expect(connect({ timeoutMs: 1500 }).readBalance("AED")).resolves.toMatchObject({ asset: "AED" })
    expect(gateway.received).toHaveLength(2)
  })

  it("are tried again after a body that stalls, within the deadline", async () => {
    const stall: Responder = (response) => {
      response.writeHead(200, { "content-length": "1000" })
      response.write('{"data":')
    }
    gateway.script = [stall, good]
    await expect(connect({ timeoutMs: 1500 }).readBalance("AED")).resolves.toMatchObject({ asset: "AED" })
  })

  it("start from nothing after a broken answer: no Range request, no glued bodies", async () => {
    const whole = JSON.stringify(otherEnvelope({ asset: "AED", value: "1.00", locked: "0.00" }))
    gateway.script = [breakOff(whole.slice(0, 20)), good]
    await expect(connect().readBalance("AED")).resolves.toMatchObject({ value: "1.00" })
    expect(gateway.received[1]?.headers.range).toBeUndefined()
  })

  it("report the last HTTP status", async () => {
    gateway.script = [reset, raw("", 500), raw("", 503)]
    expect((await unavailable(connect().readBalance("AED"))).httpStatus).toBe(503)
  })

  it("report no HTTP status when none came", async () => {
    gateway.script = [reset]
    expect((await unavailable(connect().readBalance("AED"))).httpStatus).toBeNull()
  })

  it("reuse the connection between attempts that were answered", async () => {
    gateway.script = [raw("", 503), raw("", 429), good]
    await connect().readBalance("AED")
    expect(gateway.connectionCount).toBe(1)
  })

  it("wait between attempts", async () => {
    gateway.script = [raw("", 503), raw("", 503), good]
    await connect().readBalance("AED")
    const [first, second, third] = gateway.received.map(({ atMs }) => atMs) as [number, number, number]
    expect(second - first).toBeGreaterThanOrEqual(99)
    expect(third - second).toBeGreaterThanOrEqual(199)
  })
})

describe("Retry-After", () => {
  it.each([429, 503])("is waited for on %i", async (status) => {
    gateway.script = [raw("", status, { "retry-after": "1" }), good]
    await connect().readBalance("AED")
    const [first, second] = gateway.received.map(({ atMs }) => atMs) as [number, number]
    expect(second - first).toBeGreaterThanOrEqual(990)
  })

  it("ends the call at once when it goes past the deadline", async () => {
    gateway.script = [raw("", 429, { "retry-after": "30" }), good]
    const startedAt = performance.now()
    const error = await unavailable(connect().readBalance("AED"))
    expect(error.httpStatus).toBe(429)
    expect(performance.now() - startedAt).toBeLessThan(2000)
    expect(gateway.received).toHaveLength(1)
  })

  it("may be an HTTP date", async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
    gateway.script = [raw("", 429, { "retry-after": inAnHour }), good]
    await unavailable(connect().readBalance("AED"))
    expect(gateway.received).toHaveLength(1)
  })

  it.each(["0", "-5", "soon", "", "Wed, 01 Jan 2020 00:00:00 GMT"])(
    "of %j leaves the back-off",
    async (value) => {
      gateway.script = [raw("", 429, { "retry-after": value }), good]
      await expect(connect().readBalance("AED")).resolves.toMatchObject({ asset: "AED" })
    }
  )
})

describe("creates", () => {
  it.each(faults)("are sent once, outcome unknown, on %s", async (_what, fault) => {
    gateway.script = [fault, created]
    const error = await unavailable(connect().createPaymentRequest(input))
    expect(error.outcomeUnknown).toBe(true)
    expect(gateway.received).toHaveLength(1)
  })

  it("are sent once, outcome unknown, when no answer comes within the deadline", async () => {
    gateway.script = [silence, created]
    const error = await unavailable(connect({ timeoutMs: 200 }).createPaymentRequest(input))
    expect(error).toMatchObject({ outcomeUnknown: true, httpStatus: null })
    expect(gateway.received).toHaveLength(1)
  })

  it("are sent once when a kept-alive connection is reset under them", async () => {
    const client = connect()
    gateway.script = [good, reset, created]
    await client.readBalance("AED")
    await unavailable(client.createPaymentRequest(input))
    expect(gateway.received).toHaveLength(2)
  })

  it("may take longer than a read's single attempt", async () => {
    const late: Responder = (response, request) => {
      setTimeout(() => {
        created(response, request)
      }, 3000)
    }
    gateway.script = [late]
    // Undici's own time-outs are up to a second late: an answer has to be later still to meet one.
    const create = connect({ timeoutMs: 4500 }).createPaymentRequest(input)
    await expect(create).resolves.toMatchObject({ paymentRequestId: "pr_0001" })
  })

  it("were certainly not sent when the connection is refused", async () => {
    const client = connect()
    await gateway.stop()
    const error = await unavailable(client.createPaymentRequest(input))
    expect(error.outcomeUnknown).toBe(false)
    expect(error.cause).toMatchObject({ code: "ECONNREFUSED" })
  })

  it("were certainly not sent when the host has no address", async () => {
    const client = connect({ baseUrl: "https://gateway.invalid/api/v1", timeoutMs: 2000 })
    expect((await unavailable(client.createPaymentRequest(input))).outcomeUnknown).toBe(false)
  })
})

describe("the deadline", () => {
  it("covers all attempts", async () => {
    gateway.script = [silence]
    const startedAt = performance.now()
    await unavailable(connect({ timeoutMs: 300 }).readBalance("AED"))
    expect(performance.now() - startedAt).toBeLessThan(1500)
  })

  it("covers a body that drips", async () => {
    gateway.script = [
      (response) => {
        response.writeHead(200, { "content-length": "1000000" })
        const drip = setInterval(() => response.write(" "), 20)
        response.on("close", () => {
          clearInterval(drip)
        })
      },
    ]
    const startedAt = performance.now()
    const error = await unavailable(connect({ timeoutMs: 300 }).readBalance("AED"))
    expect(performance.now() - startedAt).toBeLessThan(1500)
    expect(error.cause).toMatchObject({ code: "deadline_exceeded" })
  })

  it("covers a connection that is never made", async () => {
    // Takes the TCP connection and never answers the TLS handshake.
    const sockets: Socket[] = []
    const mute = createServer((socket) => sockets.push(socket))
    await new Promise<void>((resolve) => {
      mute.listen(0, "127.0.0.1", resolve)
    })
    const port = String((mute.address() as AddressInfo).port)
    const client = connect({ baseUrl: `https://127.0.0.1:${port}`, timeoutMs: 200 })
    const startedAt = performance.now()
    const error = await unavailable(client.createPaymentRequest(input))
    expect(performance.now() - startedAt).toBeLessThan(1500)
    expect(error.outcomeUnknown).toBe(false)
    for (const socket of sockets) {
      socket.destroy()
    }
    mute.close()
  })

  it("covers waiting for a free connection, and what was given up is not sent later", async () => {
    const held: (() => void)[] = []
    gateway.script = [(response, request) => held.push(() => good(response, request))]
    const reads = Promise.all(
      Array.from({ length: 32 }, () => connect({ timeoutMs: 60_000 }).readBalance("AED"))
    )
    while (held.length < 32) {
      await turn()
    }
    const error = await unavailable(connect({ timeoutMs: 100 }).createPaymentRequest(input))
    expect(error.outcomeUnknown).toBe(false)
    for (const release of held) {
      release()
    }
    await reads
    // The create stood first in the queue: once this later read is answered, it has had its turn.
    gateway.script = [good]
    await connect().readBalance("AED")
    expect(gateway.received.map(({ method }) => method)).not.toContain("POST")
  })

  it("covers an auth function that hangs", async () => {
    const client = connect({ timeoutMs: 100, auth: () => new Promise(() => undefined) })
    expect((await unavailable(client.createPaymentRequest(input))).outcomeUnknown).toBe(false)
    expect(gateway.received).toEqual([])
  })
})

describe("the pool", () => {
  it("keeps one connection for calls after each other", async () => {
    const client = connect()
    gateway.script = [good]
    await client.readBalance("AED")
    await turn()
    await client.readBalance("AED")
    expect(gateway.connectionCount).toBe(1)
  })

  it("is shared by clients of one origin", async () => {
    gateway.script = [good]
    await connect().readBalance("AED")
    await turn()
    await connect({ baseUrl: `http://${gateway.host}/other` }).readBalance("AED")
    expect(gateway.connectionCount).toBe(1)
  })

  it("stays open for the others when one client closes", async () => {
    gateway.script = [good]
    const [first, second] = [connect(), connect()]
    await first.readBalance("AED")
    await turn()
    await first.close()
    await first.close()
    await expect(second.readBalance("AED")).resolves.toMatchObject({ asset: "AED" })
    expect(gateway.connectionCount).toBe(1)
  })

  it("is closed with its last client", async () => {
    gateway.script = [good]
    const client = connect()
    await client.readBalance("AED")
    const closed = Promise.all(
      [...gateway.connections].map((socket) => new Promise((end) => socket.on("close", end)))
    )
    await client.close()
    await closed
    expect(gateway.connections.size).toBe(0)
  })

  it("lets the calls in flight end when it is closed", async () => {
    gateway.script = [good]
    const client = connect()
    const read = client.readBalance("AED")
    await turn()
    await client.close()
    await expect(read).resolves.toMatchObject({ asset: "AED" })
  })

  it("refuses calls of a closed client, unsent", async () => {
    const client = connect()
    await client.close()
    expect((await unavailable(client.createPaymentRequest(input))).outcomeUnknown).toBe(false)
    expect(gateway.received).toEqual([])
  })

  it("works again for a client made after the last one closed", async () => {
    gateway.script = [good]
    await connect().close()
    await expect(connect().readBalance("AED")).resolves.toMatchObject({ asset: "AED" })
  })

  it("carries many calls at once", async () => {
    gateway.script = [good]
    const client = connect()
    const balances = await Promise.all(Array.from({ length: 100 }, () => client.readBalance("AED")))
    expect(balances).toHaveLength(100)
    expect(gateway.connectionCount).toBeLessThanOrEqual(32)
  })
})

it("shows no credentials when a client is printed", async () => {
  const { inspect } = await import("node:util")
  const client = connect({ auth: { type: "bearer", token: "token-1" }, secretKey: "key-1" })
  expect(`${inspect(client, { depth: 9, showHidden: true })}${JSON.stringify(client)}`).not.toMatch(
    /token-1|key-1/
  )
})
