import {
  Connections,
  GatewayClient,
  GatewayRejected,
  GatewayError,
  PAYMENT_REQUEST_ID_PATTERN,
  type PaymentRequest,
  type PoolUse,
} from "../../gateway"
import type { Logger } from "@medusajs/framework/types"
import type { ReadFailure } from "../../decision"
import { describeGatewayError, describeNotAsked } from "./errors"
import { describeGatewayProblem, isUnknownToGateway, type GatewayProblem } from "./gateway-problem"
import type { LeasedRow } from "./payment-requests/leases"
import type { PaymentRequestStore } from "./payment-requests/store"
import { isPaused, PAUSED_MESSAGE, refuseWhilePaused } from "./paused"
import { STRAY } from "./payment-requests/request-sql"
import { sessionOfNote } from "./reconciliation/match-listed"
import type { CryptoPaymentRequestRow } from "./models/crypto-payment-request"
import type { EffectiveSettings, ProviderSettings } from "./settings/effective-settings"
import type { SettingsRegistry } from "./settings/settings-registry"

/** A row's record, or why there is none: for the row, and in words. */
export type GatewayAnswer = { record: PaymentRequest } | { failure: ReadFailure; problem: GatewayProblem }

/**
 * The longest that one read may take, whatever `timeoutMs` says. Core holds a cart's lock during some reads, and an
 * edit of a cart holds the lock for only ten seconds.
 */
const MOST_READ_MS = 8000

/**
 * The one place that gives a client for calls of the gateway.
 *
 * @throws MedusaError 400 `paused`; TypeError naming the option that is wrong, never its value
 */
export function openClient(...of: Parameters<typeof makeClient>): GatewayClient {
  refuseWhilePaused()
  return makeClient(...of)
}

/** Why no client can be made of settings, such as an impossible header: names the option, never its value. */
export function whyUnusable(settings: ProviderSettings): string | undefined {
  try {
    makeClient(settings)
    return undefined
  } catch (error) {
    return error instanceof TypeError ? error.message : "The settings cannot be used."
  }
}

function makeClient(
  settings: ProviderSettings,
  poolUse: PoolUse = "shop",
  connections = new Connections()
): GatewayClient {
  return new GatewayClient({
    baseUrl: settings.base_url,
    auth: settings.auth,
    secretKey: settings.secret_keys[0],
    timeoutMs: settings.timeout_ms,
    paymentLinkHosts: settings.payment_link_hosts ?? undefined,
    poolUse,
    connections,
  })
}

/** Calls of the gateway, each with its provider's settings in force. */
export class GatewayClients {
  private readonly connections = new Connections()

  constructor(
    private readonly settings: SettingsRegistry,
    private readonly requests: PaymentRequestStore,
    private readonly logger: Logger
  ) {}

  /** With connections that all calls of the process share. @throws as `openClient` */
  clientFor(settings: ProviderSettings, poolUse?: PoolUse): GatewayClient {
    return openClient(settings, poolUse, this.connections)
  }

  /**
   * Reads the request at the gateway and records the answer. A recorded PAID is final, so such a row is not read again.
   *
   * Every settle begins here, so a paused store refuses here, also what is paid already.
   *
   * @param lease of the calling settle: each write then requires it
   * @throws anything that is not a gateway error, such as a lost database; LeaseLost; MedusaError 400 `paused`
   */
  async check(
    row: CryptoPaymentRequestRow,
    poolUse: PoolUse = "shop",
    lease?: LeasedRow
  ): Promise<CryptoPaymentRequestRow> {
    refuseWhilePaused()
    if (row.paid_at !== null) {
      return row
    }
    const answer = await this.read(row, poolUse)
    if ("failure" in answer) {
      return await this.requests.recordFailure(row.id, answer.failure, lease)
    }
    return await this.requests.recordReading(row.id, answer.record, lease)
  }

  /** Reads the request at the address where it was made, while its provider uses that address. */
  async read(row: CryptoPaymentRequestRow, poolUse: PoolUse): Promise<GatewayAnswer> {
    const settings = await this.settings.find(row.provider_id)
    const isMoved = settings?.isConfigured && settings.origin !== row.gateway_origin
    const notAsked = settings === undefined ? "provider_missing" : isMoved ? "former_address" : null
    if (notAsked !== null) {
      const message = describeNotAsked(notAsked, row)
      this.warnOnce(row, notAsked, `the gateway is not asked (${message})`)
      return { failure: notAsked, problem: { problem: notAsked, message } }
    }
    try {
      return { record: await this.locate(row, settings, poolUse) }
    } catch (error) {
      if (!(error instanceof GatewayError)) {
        throw error
      }
      const isRefused = error instanceof GatewayRejected
      const failure = isUnknownToGateway(error) ? "unknown_to_gateway" : isRefused ? "refused" : "unreadable"
      this.warnOnce(row, failure, `the gateway cannot be read (${describeGatewayError(error)})`)
      return { failure, problem: describeGatewayProblem(error) }
    }
  }

  /** Once per outage and row. */
  private warnOnce(row: CryptoPaymentRequestRow, failure: ReadFailure, words: string): void {
    if (row.failure !== failure) {
      this.logger.warn(`crypto payment ${row.id}: ${words}`)
    }
  }

  /** The gateway's record of a row, only for display: nothing is written or decided. */
  async readRecord(id: string): Promise<{ record: PaymentRequest | null; problem: GatewayProblem | null }> {
    const row = await this.requests.find(id)
    if (row === undefined || row.payment_request_id === null) {
      return { record: null, problem: null }
    }
    if (isPaused()) {
      return { record: null, problem: { problem: "paused", message: PAUSED_MESSAGE } }
    }
    const answer = await this.read(row, "shop")
    return "record" in answer ? { ...answer, problem: null } : { record: null, problem: answer.problem }
  }

  /**
   * Reads the request. An answer counts only when it is about the same payment: another account at this address may use
   * the same id. While the provider is not configured, nothing is known of the payment: it may be paid.
   */
  private async locate(
    row: CryptoPaymentRequestRow,
    settings: EffectiveSettings | undefined,
    poolUse: PoolUse
  ): Promise<PaymentRequest> {
    const id = row.payment_request_id
    // For a gateway that has not itself said that it does not know the payment.
    const notAnswered = new GatewayRejected(404, null, false)
    // Only SQL can have written such an id; no address can be asked for it.
    if (id === null || !PAYMENT_REQUEST_ID_PATTERN.test(id) || !settings?.isConfigured) {
      throw notAnswered
    }
    const timeout_ms = Math.min(settings.timeout_ms, MOST_READ_MS)
    const record = await this.clientFor({ ...settings, timeout_ms }, poolUse).readPaymentRequest(id)
    // A gateway may drop our note, but not replace it by the note of another session.
    if (!isSamePayment(row, record) && sessionOfNote(record.note) !== null) {
      throw notAnswered
    }
    return record
  }
}

/**
 * Whether an answer is surely about the row's payment: its note has to name a session of the row. An id
 * proves nothing, because another account may use the same one. Session ids are unique, and only the plugin writes them
 * into notes.
 */
function isSamePayment({ session_ids }: CryptoPaymentRequestRow, { note }: PaymentRequest): boolean {
  return note !== null && (session_ids.includes(note) || session_ids.includes(`${STRAY}${note}`))
}
