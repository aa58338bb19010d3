import { setMaxListeners } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import { setTimeout as delay } from "node:timers/promises"
import { Faults } from "./fault"
import { HeldCalls } from "./held-calls"
import type { SandboxAuth, SandboxOptions, SandboxSettings } from "./options"
import type { Payment } from "./payment"
import { parseDecimal } from "./decimal"
import { FIATS } from "./coins"

/** One request to the gateway API. Nothing is redacted: this is a test tool. */
export interface ApiCall {
  at: number
  method: string
  path: string
  query: string
  endpoint: string | null
  payment_request_id: string | null
  headers: Record<string, string>
  body: string
  /** Null while unanswered, or when the connection was closed before. */
  status: number | null
  fault: string | null
}

export interface DeliveryAttempt {
  at: string
  /** Null without an answer. */
  http_status: number | null
  error: string | null
}

/** One notification and all tries to deliver it. */
export interface Delivery {
  id: number
  payment_request_id: string
  status: string
  /** Why it was sent: pay, decline, forged … */
  reason: string
  url: string | null
  method: string
  content_type: string
  body: string
  state: "scheduled" | "delivered" | "failed" | "no_webhook_url"
  attempts: DeliveryAttempt[]
}

/** A request to the sandbox's server, and its answer. */
export interface Exchange {
  state: SandboxState
  request: IncomingMessage
  response: ServerResponse
  url: URL
}

const MOST_CALLS_KEPT = 20_000

/** Everything the sandbox remembers, in memory. */
export class SandboxState {
  url = ""
  readonly secretKey: string
  readonly auth: SandboxAuth | undefined
  readonly merchantId: string
  readonly merchantName: string
  readonly log: (line: string) => void
  readonly faults = new Faults()
  readonly held = new HeldCalls()
  payments = new Map<string, Payment>()
  /** Entries of the list that are no payments, added by a test; newer than all payments. */
  rawRecords: unknown[] = []
  balances = new Map<string, bigint>()
  calls: ApiCall[] = []
  deliveries: Delivery[] = []
  settings: SandboxSettings
  webhookUrl: string | undefined
  listReads = 0
  /** Aborted by reset and close, which drops timers and deliveries. */
  stop = openStop()
  private readonly initialSettings: SandboxSettings
  private initialWebhookUrl: string | undefined

  constructor(options: SandboxOptions) {
    this.secretKey = options.secretKey
    this.auth = options.auth
    this.merchantId = options.merchantId ?? "mer_sandbox"
    this.merchantName = options.merchantName ?? "Sandbox Shop"
    this.log = options.log ?? (() => undefined)
    this.webhookUrl = this.initialWebhookUrl = options.webhookUrl
    this.initialSettings = {
      feePaidBy: options.feePaidBy ?? "MERCHANT",
      feePercent: String(options.feePercent ?? 1),
      notificationDelayMs: options.notificationDelayMs ?? 0,
      notificationAttempts: 4,
      notificationBackoffMs: 1000,
      notificationTimeoutMs: 10_000,
      latePaymentMs: 10_000,
      listBehaviour: "normal",
      listPageSize: 20,
    }
    if (parseDecimal(this.initialSettings.feePercent) === undefined) {
      throw new Error("feePercent must be a plain decimal, for example 1 or 0.5")
    }
    this.settings = { ...this.initialSettings }
    this.openBalances()
  }

  rememberCall(call: ApiCall): void {
    this.calls.push(call)
    if (this.calls.length > MOST_CALLS_KEPT) {
      this.calls.shift()
    }
  }

  credit(currencySymbol: string, amount: bigint): void {
    this.balances.set(currencySymbol, (this.balances.get(currencySymbol) ?? 0n) + amount)
  }

  /** The address set by the program that started the sandbox survives a reset; one set by control does not. */
  setStartingWebhookUrl(url: string | undefined): void {
    this.webhookUrl = this.initialWebhookUrl = url
  }

  /** Never keeps the process alive. Dropped when the sandbox is reset or closed. */
  after(ms: number, run: () => void): void {
    const options = { ref: false, signal: this.stop.signal }
    // Rejected only when it is dropped.
    void delay(ms, undefined, options).then(run, () => undefined)
  }

  /** Never resolves when the sandbox is reset or closed before. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve)
    })
  }

  drop(): void {
    this.stop.abort()
  }

  reset(): void {
    this.drop()
    this.stop = openStop()
    this.faults.clear()
    this.held.release()
    this.payments = new Map()
    this.rawRecords = []
    this.calls = []
    this.deliveries = []
    this.settings = { ...this.initialSettings }
    this.webhookUrl = this.initialWebhookUrl
    this.listReads = 0
    this.openBalances()
  }

  private openBalances(): void {
    this.balances = new Map(FIATS.map((symbol) => [symbol, 0n]))
  }
}

function openStop(): AbortController {
  const stop = new AbortController()
  // Every delivery and timer listens, and there may be thousands: Node's warning of a leak would be wrong.
  setMaxListeners(0, stop.signal)
  return stop
}
