import type * as Core from "@medusajs/framework/types"
import {
  AbstractPaymentProvider,
  MedusaError,
  PaymentActions,
  PaymentSessionStatus,
} from "@medusajs/framework/utils"
import { parseJson, parseSignedBody, verifyApprovalHash, type SignedBody } from "../../gateway"
import { notAllowed, notFound, partArrivedError } from "../../modules/crypto-payments/errors"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import { isPaused, refuseWhilePaused } from "../../modules/crypto-payments/paused"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import {
  amountsEqual,
  isReported,
  isRestAwaited,
  recordedStatus,
  toRequestedMoney,
  toSessionStatus,
  toTwoDecimals,
  toWebhookAction,
} from "../../decision"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments/settings/names"
import { pluginNotLoaded } from "./require-plugin"

const UNREAD = "The crypto payment service could not be asked whether this is paid. Try again in a minute."

/**
 * Medusa's payment provider: translates core's calls into the ledger's words and back. It decides nothing: what becomes
 * paid is decided by a settle, which then has core ask here.
 */
export default class CryptoPaymentProvider extends AbstractPaymentProvider {
  static override identifier = "crypto"

  constructor(cradle: Record<string, unknown>, options: Record<string, unknown> = {}) {
    super(cradle, options)
  }

  /** Looked up when called: the payment module may be loaded before the plugin's. */
  private get ledger(): CryptoPaymentsModuleService {
    const ledger = this.container[CRYPTO_PAYMENTS_MODULE] as CryptoPaymentsModuleService | undefined
    if (ledger === undefined) {
      throw pluginNotLoaded()
    }
    return ledger
  }

  override async initiatePayment(input: Core.InitiatePaymentInput): Promise<Core.InitiatePaymentOutput> {
    const row = await this.ledger.issuer.issue({
      ...toRequestedMoney(input.amount, input.currency_code),
      sessionId: input.context?.idempotency_key ?? "",
      deletedRequestId: readIds(input.data).paymentRequestId,
    })
    return { id: row.id, status: PaymentSessionStatus.PENDING, data: toSessionData(row) }
  }

  override async authorizePayment(input: Core.AuthorizePaymentInput): Promise<Core.AuthorizePaymentOutput> {
    // The one trustworthy binding: core sets it to the session's id, whatever is in `data`.
    refuseWhilePaused()
    const sessionId = input.context?.idempotency_key ?? ""
    const row = await this.ledger.requests.findBySession(sessionId)
    if (row === undefined) {
      throw notAuthorized("No crypto payment was started for this session. Start the payment again.")
    }
    // A claim that a dead settle left says nothing: meanwhile another payment may have paid for this.
    if (hasPaid(row, sessionId) && (await this.ledger.leases.isHeld(row.id))) {
      return { status: PaymentSessionStatus.CAPTURED, data: toSessionData(row) }
    }
    if (row.refund_registered_at !== null || row.state === "refunded") {
      throw notAuthorized("Your payment was sent back. Start the payment again.")
    }
    if (row.paid_at !== null) {
      throw notAuthorized("Your payment was received and the shop is checking it.")
    }
    if (row.state === "closed") {
      throw notAuthorized(
        row.failure === null || row.failure === "unknown_to_gateway"
          ? "This payment link cannot be used any more. Start the payment again."
          : UNREAD
      )
    }
    const settings = await this.ledger.settings.find(row.provider_id)
    if (settings?.isConfigured && settings.order_placement === "before_payment") {
      await this.ledger.links.limitOrder(row.id, settings.unpaid_order_ttl_minutes)
      return { status: PaymentSessionStatus.PENDING_AUTHORIZATION, data: toSessionData(row) }
    }
    // A store whose own code completes the cart gets its order from the settle.
    await this.ledger.queue.requestUnlessJustRead(row.id)
    if (row.failure !== null) {
      throw new Error(UNREAD)
    }
    throw new MedusaError(
      MedusaError.Types.PAYMENT_REQUIRES_MORE_ERROR,
      "The crypto payment has not arrived yet. Pay at the payment link, or wait a moment."
    )
  }

  override async capturePayment(input: Core.CapturePaymentInput): Promise<Core.CapturePaymentOutput> {
    const row = await this.findOwn(input.data)
    if (row !== undefined && hasPaid(row, readIds(input.data).sessionId)) {
      return { data: toSessionData(row) }
    }
    throw notAllowed("The gateway does not say that this is paid, so it cannot be captured.")
  }

  override async deletePayment(input: Core.DeletePaymentInput): Promise<Core.DeletePaymentOutput> {
    await this.withdrawLink(input.data)
    return { data: input.data ?? {} }
  }

  override async cancelPayment(input: Core.CancelPaymentInput): Promise<Core.CancelPaymentOutput> {
    return await this.deletePayment(input)
  }

  /** The gateway has no refund call: only a refund that was made there and registered here passes. */
  override async refundPayment(input: Core.RefundPaymentInput): Promise<Core.RefundPaymentOutput> {
    const row = await this.findOwn(input.data)
    const refundId = input.context?.idempotency_key
    if (
      row !== undefined &&
      refundId !== undefined &&
      (await this.ledger.refunds.admit(row.id, toTwoDecimals(input.amount), refundId))
    ) {
      return { data: toSessionData(row) }
    }
    throw notAllowed(
      "Crypto payments cannot be refunded from here: the gateway has no refund call. Send the money back in the " +
        'gateway\'s dashboard. Then go to the section "Crypto payment" of the order and press "Register refund".'
    )
  }

  override async updatePayment(input: Core.UpdatePaymentInput): Promise<Core.UpdatePaymentOutput> {
    const row = await this.findOwn(input.data)
    if (
      row === undefined ||
      !amountsEqual(row.amount, input.amount) ||
      row.currency_code !== input.currency_code.toLowerCase()
    ) {
      throw notAllowed("A payment link cannot be changed. Create a new payment session for the new amount.")
    }
    return { data: toSessionData(row) }
  }

  override async retrievePayment(input: Core.RetrievePaymentInput): Promise<Core.RetrievePaymentOutput> {
    const { data } = await this.getPaymentStatus(input)
    return { data: data ?? {} }
  }

  override async getPaymentStatus(input: Core.GetPaymentStatusInput): Promise<Core.GetPaymentStatusOutput> {
    const row = await this.findOwn(input.data)
    if (row === undefined) {
      throw notFound("There is no such payment request.")
    }
    return { status: toSessionStatus(recordedStatus(row)), data: toSessionData(row) }
  }

  /**
   * For a store whose own code emits core's webhook event, and for events that were queued before an upgrade. No
   * request gets here: the plugin's intake takes every spelling that core's webhook route would pass on.
   */
  override async getWebhookActionAndData(
    payload: Core.ProviderWebhookPayload["payload"]
  ): Promise<Core.WebhookActionResult> {
    const notified = await this.findNotified(payload)
    if (notified === undefined || notified.row.captured_at !== null) {
      return { action: PaymentActions.NOT_SUPPORTED }
    }
    const { session_id, amount } = notified.row
    return { action: toWebhookAction(notified.word), data: { session_id, amount } }
  }

  /**
   * A link that is, or ever was, paid cannot be deleted, nor one of which a part was paid: throwing here is the only
   * way to stop core. Without an answer from the gateway, which a paused store does not ask, the session is deleted and
   * the link is still checked, so that a customer can always edit the cart.
   */
  private async withdrawLink(data: Record<string, unknown> | undefined): Promise<void> {
    const found = await this.findOwn(data)
    const { sessionId } = readIds(data)
    // A session that the link has left, and that it never paid, has nothing to release.
    const isOfSession = ({ session_id, paid_session_id }: CryptoPaymentRequestRow): boolean =>
      session_id === sessionId || paid_session_id === sessionId
    if (found === undefined || sessionId === undefined || found.state === "refunded" || !isOfSession(found)) {
      return
    }
    let row = isPaused() ? found : await this.ledger.gateways.check(found)
    if (isRestAwaited(row) && !isReported(row)) {
      throw partArrivedError()
    }
    if (row.paid_at === null && (!isReported(row) || (await this.ledger.links.isMoneyWaiting(row)))) {
      await this.ledger.links.withdraw(row.id, sessionId)
      // A settle may have recorded PAID since that read.
      row = await this.ledger.requests.require(row.id)
      if (row.paid_at === null) {
        return
      }
    }
    if (!isOfSession(row)) {
      return
    }
    if (row.paid_session_id === null && (await this.ledger.facts.read(row.id)).paid_by_another) {
      // Money for what another payment has paid already: it never pays this session. A settle opens its case.
      await this.ledger.queue.requestSettle(row.id)
      return
    }
    if (found.paid_at === null) {
      await this.ledger.requests.addActivity(row.id, "refused", { what: "deletion", session_id: sessionId })
      await this.ledger.queue.requestSettle(row.id)
    }
    throw notAllowed(
      "This was paid in crypto and is being confirmed, so it can no longer be changed or replaced."
    )
  }

  /** The row to which both ids belong, so that one session's data can never reach the request of another. */
  private async findOwn(
    data: Record<string, unknown> | undefined
  ): Promise<CryptoPaymentRequestRow | undefined> {
    const { sessionId, paymentRequestId } = readIds(data)
    if (sessionId === undefined || paymentRequestId === undefined) {
      return undefined
    }
    const rows = await this.ledger.requests.findByPaymentRequestId(paymentRequestId)
    return rows.find((row) => row.session_ids.includes(sessionId))
  }

  /** A genuine notification's row and word: its hash must fit the secret of the row's own provider. */
  private async findNotified({
    rawData,
    data,
  }: Core.ProviderWebhookPayload["payload"]): Promise<
    { row: CryptoPaymentRequestRow; word: unknown } | undefined
  > {
    // Core types the bytes as always there; an octet-stream delivery leaves them out. A form-encoded one garbles
    // `data`.
    const isRaw = typeof (rawData as unknown) === "string" || Buffer.isBuffer(rawData)
    let signed: SignedBody
    try {
      signed = parseSignedBody(isRaw ? parseJson(Buffer.from(rawData)) : data)
    } catch {
      // Not JSON or not a notification: core's route has answered already, so the sender cannot be told.
      return undefined
    }
    const { paymentRequestId } = readIds(signed.data)
    if (paymentRequestId === undefined) {
      return undefined
    }
    const rows = await this.ledger.requests.findByPaymentRequestId(paymentRequestId)
    const keys = await this.ledger.settings.listNotificationKeys()
    const row = rows.find(({ provider_id }) =>
      verifyApprovalHash(signed.data, signed.approvalHash, keys.get(provider_id) ?? [])
    )
    return row && { row, word: signed.data["status"] }
  }
}

function notAuthorized(message: string): MedusaError {
  return new MedusaError(MedusaError.Types.PAYMENT_AUTHORIZATION_ERROR, message)
}

/** A settle has bound the received money to the session, under its lease, and none of it was sent back. */
function hasPaid(row: CryptoPaymentRequestRow, sessionId: string | undefined): boolean {
  const isBound = row.paid_session_id !== null && row.paid_session_id === sessionId
  return isBound && row.paid_at !== null && row.refund_registered_at === null && row.state !== "refunded"
}

/** Exactly what we keep in `session.data` and `payment.data`; a storefront can read it. Amount in major units. */
function toSessionData(row: CryptoPaymentRequestRow): Record<string, string> {
  return {
    session_id: row.session_id,
    payment_request_id: row.payment_request_id ?? "",
    payment_link: row.payment_link ?? "",
    amount: row.amount,
    currency_code: row.currency_code,
  }
}

/**
 * The two ids that find a row again. Core passes back what we returned, but on one compensation path only what the
 * storefront sent: so the ids are checked against the ledger and never trusted.
 */
function readIds(data: Record<string, unknown> | undefined) {
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
  return { sessionId: text(data?.["session_id"]), paymentRequestId: text(data?.["payment_request_id"]) }
}
