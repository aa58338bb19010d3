import type { Socket } from "node:net"
import { input } from "./client-under-test.spec"
import { breakOff, otherEnvelope, raw, reset, silence, type Responder } from "./fake-gateway.spec"
import {
  TransportUnderTest,
  created,
  faults,
  good,
  hurryFirstAttempt,
  unavailable,
} from "./transport-under-test.spec"

const on = new TransportUnderTest()

describe("reads", () => {
  it.each(faults)("are tried again after %s", async (_what, fault) => {
    on.gateway.script = [fault, good]
    await expect(on.connect().readBalance("AED")).resolves.toMatchObject({ asset: "AED" })
    expect(on.gateway.received).toHaveLength(2)
  })

  it.each(faults)("are given up after three attempts on %s", async (_what, fault) => {
    on.gateway.script = [fault]
    const error = await unavailable(on.connect().readBalance("AED"))
    expect(error).toMatchObject({ code: "gateway_unavailable", outcomeUnknown: true })
    expect(on.gateway.received).toHaveLength(3)
  })

  it("succeed on the third attempt, faults mixed", async () => {
    on.gateway.script = [reset, raw("", 503), good]
    await expect(on.connect().readBalance("AED")).resolves.toMatchObject({ asset: "AED" })
  })

  it("are tried again after a silent attempt, within the deadline", async () => {
    hurryFirstAttempt()
    on.gateway.script = [silence, good]
    await expect(on.connect({ timeoutMs: 30_000 }).readBalance("AED")).resolves.toMatchObject({
      asset: "AED",
    })
    expect(on.gateway.received).toHaveLength(2)
  })

  it("are tried again after a body that stalls, within the deadline", async () => {
    hurryFirstAttempt()
    const stall: Responder = (response) => {
      response.writeHead(200, { "content-length": "1000" })
      response.write('{"data":')
    }
    on.gateway.script = [stall, good]
    await expect(on.connect({ timeoutMs: 30_000 }).readBalance("AED")).resolves.toMatchObject({
      asset: "AED",
    })
  })

  it("start from nothing after a broken answer: no Range request, no glued bodies", async () => {
    const whole = JSON.stringify(otherEnvelope({ asset: "AED", value: "1.00", locked: "0.00" }))
    on.gateway.script = [breakOff(whole.slice(0, 20)), good]
    await expect(on.connect().readBalance("AED")).resolves.toMatchObject({ value: "1.00" })
    expect(on.gateway.received[1]?.headers.range).toBeUndefined()
  })

  it("report the last HTTP status", async () => {
    on.gateway.script = [reset, raw("", 500), raw("", 503)]
    expect((await unavailable(on.connect().readBalance("AED"))).httpStatus).toBe(503)
  })

  it("report no HTTP status when none came", async () => {
    on.gateway.script = [reset]
    expect((await unavailable(on.connect().readBalance("AED"))).httpStatus).toBeNull()
  })

  it("reuse the connection between attempts that were answered", async () => {
    on.gateway.script = [raw("", 503), raw("", 429), good]
    await on.connect({ poolUse: "settling" }).readBalance("AED")
    expect(on.gateway.connectionCount).toBe(1)
  })

  it("wait between attempts", async () => {
    on.gateway.script = [raw("", 503), raw("", 503), good]
    await on.connect().readBalance("AED")
    const [first, second, third] = on.gateway.received.map(({ atMs }) => atMs) as [number, number, number]
    expect(second - first).toBeGreaterThanOrEqual(99)
    expect(third - second).toBeGreaterThanOrEqual(199)
  })
})

describe("creates", () => {
  it.each(faults)("are sent once, outcome unknown, on %s", async (_what, fault) => {
    on.gateway.script = [fault, created]
    const error = await unavailable(on.connect().createPaymentRequest(input))
    expect(error.outcomeUnknown).toBe(true)
    expect(on.gateway.received).toHaveLength(1)
  })

  it("use no connection that may be dead, so none is lost with one", async () => {
    const client = on.connect()
    const used = new WeakSet<Socket>()
    on.gateway.script = [
      (response, request) => {
        const { socket } = request
        if (used.has(socket)) {
          socket.destroy()
          return
        }
        used.add(socket)
        const answer = request.method === "GET" ? good : created
        answer(response, request)
      },
    ]
    await client.readBalance("AED")
    for (let count = 0; count < 20; count += 1) {
      await expect(client.createPaymentRequest(input)).resolves.toMatchObject({ paymentRequestId: "pr_0001" })
    }
    expect(on.gateway.received).toHaveLength(21)
  })

  it("may take longer than a read's single attempt", async () => {
    hurryFirstAttempt()
    const late: Responder = (response, request) => {
      // More than twice as long as an attempt of a read would have.
      setTimeout(() => {
        created(response, request)
      }, 300)
    }
    on.gateway.script = [late]
    const create = on.connect({ timeoutMs: 30_000 }).createPaymentRequest(input)
    await expect(create).resolves.toMatchObject({ paymentRequestId: "pr_0001" })
  })

  it("were certainly not sent when the connection is refused", async () => {
    const client = on.connect()
    await on.gateway.stop()
    const error = await unavailable(client.createPaymentRequest(input))
    expect(error.outcomeUnknown).toBe(false)
    expect(error.cause).toMatchObject({ code: "ECONNREFUSED" })
  })

  it("were certainly not sent when the host has no address", async () => {
    const client = on.connect({ baseUrl: "https://gateway.invalid/api/v1", timeoutMs: 2000 })
    expect((await unavailable(client.createPaymentRequest(input))).outcomeUnknown).toBe(false)
  })
})
