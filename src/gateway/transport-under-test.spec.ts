import { GatewayClient, type GatewayClientOptions } from "./client"
import { GatewayUnavailable } from "./errors"
import { Connections } from "./pools"
import {
  FakeGateway,
  breakOff,
  json,
  otherEnvelope,
  raw,
  reset,
  wirePaymentRequest,
  type Responder,
} from "./fake-gateway.spec"

export const good = json(otherEnvelope({ asset: "AED", value: "1.00", locked: "0.00" }))
export const created = json(otherEnvelope(wirePaymentRequest({ payment_status: "PENDING" })))

const chunkedCut: Responder = (response) => {
  response.writeHead(200, { connection: "close" })
  response.write('{"data":', () => response.socket?.end())
}

/** Which statuses are tried again: retry.unit.spec.ts. */
export const faults: [string, Responder][] = [
  ["502 with an HTML page", raw("<html>", 502)],
  ["503 with a page over 1 MB", raw("x".repeat(1024 * 1024 + 1), 503)],
  ["503 whose page breaks off", breakOff("<html>", 503)],
  ["429", raw("", 429)],
  ["a reset before the answer", reset],
  ["a reset inside the answer", breakOff('{"data":{"asset":"AED",')],
  ["a chunked answer cut short", chunkedCut],
]

/** A gateway and the connections of its clients, new for each test. */
export class TransportUnderTest {
  gateway = new FakeGateway()
  connections = new Connections()

  constructor() {
    beforeEach(async () => {
      this.connections = new Connections()
      this.gateway = new FakeGateway()
      await this.gateway.start()
    })
    afterEach(async () => {
      jest.restoreAllMocks()
      await this.gateway.stop()
    })
  }

  connect(options: Partial<GatewayClientOptions> = {}): GatewayClient {
    return new GatewayClient({ baseUrl: this.gateway.baseUrl, connections: this.connections, ...options })
  }
}

/** What a call fails with, which must be GatewayUnavailable. */
export async function unavailable(call: Promise<unknown>): Promise<GatewayUnavailable> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason
  )
  expect(error).toBeInstanceOf(GatewayUnavailable)
  return error as GatewayUnavailable
}

interface UndiciTimers {
  setFastTimeout: (run: (arg: unknown) => void, ms: number, arg: unknown) => unknown
}

/** Undici waits so long for a connection, and no attempt is as short. */
const CONNECT_TIMEOUT_MS = 3000

/**
 * In this test the time of the first attempt passes a hundred times faster, and neither the deadline of the whole call
 * nor the time of the next attempt does: how they are told apart does not depend on how fast the machine is.
 */
export function hurryFirstAttempt(): void {
  const timers = jest.requireActual<UndiciTimers>("undici/lib/util/timers")
  const { setFastTimeout } = timers
  let isOver = false
  jest.spyOn(timers, "setFastTimeout").mockImplementation((run, ms, arg) => {
    if (isOver || ms <= CONNECT_TIMEOUT_MS) {
      return setFastTimeout(run, ms, arg)
    }
    const end = (): void => {
      isOver = true
      run(arg)
    }
    return setTimeout(end, ms / 100)
  })
}
