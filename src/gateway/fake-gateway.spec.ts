import { createServer } from "node:http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"

// A tiny real HTTP server for the tests of this room. No tests in it: its name keeps it out of the build.

/** One request as it arrived. */
export interface Received {
  method: string
  url: string
  headers: IncomingMessage["headers"]
  body: string
  atMs: number
}

/** What the server does with one request. */
export type Responder = (response: ServerResponse, request: IncomingMessage) => void

/** Answers with JSON. */
export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Responder {
  return raw(JSON.stringify(value), status, { "content-type": "application/json", ...headers })
}

/** Answers with bytes as they are. */
export function raw(body: string | Buffer, status = 200, headers: Record<string, string> = {}): Responder {
  return (response) => {
    response.writeHead(status, { "content-length": String(Buffer.byteLength(body)), ...headers })
    response.end(body)
  }
}

/** Cuts the connection without an answer. */
export const reset: Responder = (response) => {
  response.socket?.resetAndDestroy()
}

/** Never answers. */
export const silence: Responder = () => undefined

/** Promises a long body, sends a part and cuts the connection. */
export function breakOff(part: string, status = 200): Responder {
  return (response) => {
    response.writeHead(status, { "content-length": "100000", "accept-ranges": "bytes" })
    response.write(part, () => response.socket?.resetAndDestroy())
  }
}

/** The server; `script` is what it does, request by request, the last entry for all further ones. */
export class FakeGateway {
  script: Responder[] = [json({})]
  received: Received[] = []
  connections = new Set<Socket>()
  connectionCount = 0
  readonly #server: Server

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const { method = "", url = "", headers } = request
        const body = Buffer.concat(chunks).toString("utf8")
        this.received.push({ method, url, headers, body, atMs: performance.now() })
        const responder = this.script[Math.min(this.received.length, this.script.length) - 1]
        responder?.(response, request)
      })
    })
    // Long, so that a test which waits for a closed connection waits for our close and not for idleness.
    this.#server.keepAliveTimeout = 60_000
    this.#server.on("connection", (socket: Socket) => {
      this.connectionCount += 1
      this.connections.add(socket)
      socket.on("close", () => this.connections.delete(socket))
    })
  }

  async start(port = 0): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(port, "127.0.0.1", resolve)
    })
  }

  get host(): string {
    return `127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`
  }

  get baseUrl(): string {
    return `http://${this.host}/api/v1`
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve()
      })
      this.#server.closeAllConnections()
    })
  }
}

/** A payment request of the interface, on the wire. */
export function wirePaymentRequest(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    payment_request_id: "pr_0001",
    payment_link: "https://pay.example/pr_0001",
    currency_symbol: "AED",
    amount: "129.90000000000000",
    note: "payses_01",
    payer_email_address: "buyer@example.com",
    payer_first_name: "Ada",
    payer_last_name: null,
    payment_currency: "USDT",
    payment_amount: "35.37000000000000",
    receiving_amount: "127.40000000000000",
    fee_paid_by: "MERCHANT",
    payment_fee_amount: "2.50000000000000",
    paid_amount: null,
    ref_id: "REF-9",
    payment_status: "PAID",
    ...changes,
  }
}

/** A success envelope of the read endpoints. */
export function readEnvelope(data: unknown): Record<string, unknown> {
  const pagination = { total_count: 1, page_count: 1, page_size: 20 }
  return { data, pagination, message: "ok", successful: true }
}

/** A success envelope of creation and balances. */
export function otherEnvelope(data: unknown): Record<string, unknown> {
  return { data, message: "ok", is_successful: true }
}
