import { z } from "zod"
import { createAuthenticator, type GatewayAuth } from "./auth"
import { CURRENCY_SYMBOLS } from "./currencies"
import { openEnvelope } from "./envelope"
import { GatewayMalformed } from "./errors"
import { readPaymentLink } from "./payment-link"
import {
  PAYMENT_REQUEST_ID_PATTERN,
  paginationSchema,
  paymentRequestSchema,
  readRecords,
  toCreateBody,
  toPaymentRequest,
  type CreatePaymentRequestInput,
  type CreatedPaymentRequest,
  type ListedPage,
  type PaymentRequest,
} from "./payment-request"
import { plainDecimal } from "./plain-decimal"
import { Connections, type PoolUse } from "./pools"
import { Transport, type WireRequest } from "./transport"

/** How to reach the gateway. */
export interface GatewayClientOptions {
  /** The address with its version prefix, e.g. `https://gateway.example/api/v1`; https, or http on loopback. */
  baseUrl: string
  /** Default `{type: "none"}`. */
  auth?: GatewayAuth
  /** The key of `auth: {type: "signature"}` when that gives none. */
  secretKey?: string
  /** Deadline of one whole call: authentication, connection, all attempts and the body. Milliseconds, default 8000. */
  timeoutMs?: number
  /** Hosts (or `host:port`) a created payment link may point to. Default: any, if https. */
  paymentLinkHosts?: readonly string[] | undefined
  /** Give several clients the same, and they share connections. Default: connections of its own. */
  connections?: Connections
  /** Which of the connections its reads use. Default `"shop"`: a new one for each. */
  poolUse?: PoolUse
}

/** What a balance symbol may look like before it is put into a path. Dots are allowed inside (`USDC.e`). */
export const BALANCE_SYMBOL_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/

/** Wire form of a balance. @see gateway interface, "Balance" */
export const balanceSchema = z.object({ asset: z.string().min(1), value: plainDecimal, locked: plainDecimal })

/** One asset's balance, decimal strings with 14 fractional digits. */
export type Balance = z.output<typeof balanceSchema>

/** A plain decimal string. @see gateway interface, "Create a payment request" */
const CREATE_AMOUNT_PATTERN = /^\d{1,20}(\.\d{1,14})?$/
const CURRENCY_SYMBOL_PATTERN = new RegExp(`^(${CURRENCY_SYMBOLS.join("|")})$`)
const DEFAULT_TIMEOUT_MS = 8000

/**
 * Typed client of the gateway's five endpoints.
 *
 * Every method rejects with `GatewayUnavailable`, `GatewayRejected` or `GatewayMalformed` and nothing else, except for
 * a `TypeError` before anything is sent when an argument is not usable.
 *
 * @see docs/gateway.md
 */
export class GatewayClient {
  readonly #transport: Transport
  readonly #paymentLinkHosts: readonly string[] | undefined

  /** @throws TypeError naming the option that is wrong, never its value */
  constructor(options: GatewayClientOptions) {
    const { baseUrl, timeoutMs = DEFAULT_TIMEOUT_MS } = options
    const authenticate = createAuthenticator(options.auth ?? { type: "none" }, options.secretKey)
    this.#paymentLinkHosts = options.paymentLinkHosts
    const { connections = new Connections(), poolUse = "shop" } = options
    this.#transport = new Transport({ baseUrl, authenticate, timeoutMs, connections, poolUse })
  }

  /**
   * Lists payment requests, in the gateway's order. A record that cannot be read is listed in `unreadable`; the other
   * records are not affected.
   *
   * @param page the interface shows no paging; `?page=` is from public documents, and a gateway may not have it
   * @see gateway interface, "List payment requests"
   */
  async listPaymentRequests({ page }: { page?: number } = {}): Promise<ListedPage> {
    const query = page === undefined ? "" : `?page=${String(page)}`
    const envelope = await this.#send({ method: "GET", target: `/api/payments${query}` })
    const { total_count, page_count, page_size } = envelope.parse("pagination", paginationSchema)
    return {
      ...readRecords(envelope.parse("data", z.array(z.unknown()))),
      pagination: { totalCount: total_count, pageCount: page_count, pageSize: page_size },
    }
  }

  /**
   * Reads one payment request as the gateway has it now. Only id, amount, currency and status are required, so that
   * nothing else can hide a PAID.
   *
   * @param paymentRequestId the gateway's id, not Medusa's `payses_…`
   * @throws GatewayMalformed also when the answer is about another payment request; TypeError if the id does not match
   *   `PAYMENT_REQUEST_ID_PATTERN`
   * @see gateway interface, "Get a payment request"
   */
  async readPaymentRequest(paymentRequestId: string): Promise<PaymentRequest> {
    requirePattern(paymentRequestId, PAYMENT_REQUEST_ID_PATTERN, "paymentRequestId")
    const target = `/api/payments/${encodeURIComponent(paymentRequestId)}`
    const envelope = await this.#send({ method: "GET", target })
    const paymentRequest = toPaymentRequest(envelope.parse("data", paymentRequestSchema))
    // A mixed-up or cached answer about another payment must never be taken for this one.
    if (paymentRequest.paymentRequestId !== paymentRequestId) {
      throw new GatewayMalformed({ fields: ["data.payment_request_id"], httpStatus: envelope.httpStatus })
    }
    return paymentRequest
  }

  /**
   * Creates a payment request. Sent at most once: after `GatewayUnavailable` with `outcomeUnknown`, and after
   * `GatewayMalformed`, one may exist at the gateway. The caller compares amount and currency with the requested ones.
   *
   * @returns the new payment request, PENDING; its link is https (http on loopback only) and on `paymentLinkHosts`
   * @throws TypeError for an amount or currency that the interface does not allow
   * @see gateway interface, "Create a payment request"
   */
  async createPaymentRequest(input: CreatePaymentRequestInput): Promise<CreatedPaymentRequest> {
    requirePattern(input.amount, CREATE_AMOUNT_PATTERN, "amount")
    requirePattern(input.currencySymbol, CURRENCY_SYMBOL_PATTERN, "currencySymbol")
    const body = toCreateBody(input)
    const envelope = await this.#send({ method: "POST", target: "/api/payments", body })
    const paymentRequest = toPaymentRequest(envelope.parse("data", paymentRequestSchema))
    const link = paymentRequest.paymentLink ?? ""
    const paymentLink = readPaymentLink(link, this.#paymentLinkHosts)
    const fields = [
      // A payment request whose id does not fit into a path could never be read.
      ...(PAYMENT_REQUEST_ID_PATTERN.test(paymentRequest.paymentRequestId)
        ? []
        : ["data.payment_request_id"]),
      ...(paymentLink === undefined ? ["data.payment_link"] : []),
    ]
    if (paymentLink === undefined || fields.length > 0) {
      const unlisted = paymentLink === undefined && readPaymentLink(link, undefined)
      const { httpStatus } = envelope
      throw new GatewayMalformed({ fields, httpStatus, linkHost: unlisted ? new URL(unlisted).host : null })
    }
    return { ...paymentRequest, paymentLink }
  }

  /** Lists the account's balances. @see gateway interface, "List account balances" */
  async listBalances(): Promise<Balance[]> {
    const envelope = await this.#send({ method: "GET", target: "/api/balances" })
    return envelope.parse("data", z.array(balanceSchema))
  }

  /**
   * Reads one asset's balance. The interface does not show the answer to an unknown symbol.
   *
   * @param symbol asset symbol, such as `AED`
   * @throws GatewayMalformed also when the answer is about another asset; TypeError if the symbol does not match
   *   `BALANCE_SYMBOL_PATTERN`
   * @see gateway interface, "Get a balance by symbol"
   */
  async readBalance(symbol: string): Promise<Balance> {
    requirePattern(symbol, BALANCE_SYMBOL_PATTERN, "symbol")
    const envelope = await this.#send({
      method: "GET",
      target: `/api/balances/${encodeURIComponent(symbol)}`,
    })
    const balance = envelope.parse("data", balanceSchema)
    // Money of another asset must never be shown as this one's.
    if (balance.asset.toLowerCase() !== symbol.toLowerCase()) {
      throw new GatewayMalformed({ fields: ["data.asset"], httpStatus: envelope.httpStatus })
    }
    return balance
  }

  async #send(request: WireRequest) {
    return openEnvelope(await this.#transport.send(request))
  }
}

// Also for callers in JavaScript and values from the network. The error does not show the value: it may be hostile.
function requirePattern(value: unknown, pattern: RegExp, name: string): void {
  if (typeof value !== "string" || !pattern.test(value)) {
    throw new TypeError(`${name} must match ${String(pattern)}`)
  }
}
