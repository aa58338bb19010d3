import type { AuthenticatedMedusaRequest, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { GatewayError, type PaymentRequest } from "../../../gateway"
import type { AuditReport, BeforeJson, CryptoPayment, GatewayRecord } from "../../../http-contract"
import { resolveLedger } from "../../../modules/crypto-payments"
import {
  isConflict,
  providerMissingError,
  unknownRequestError,
} from "../../../modules/crypto-payments/errors"
import {
  describeGatewayProblem,
  isUnknownToGateway,
  showableWords,
  type GatewayProblem,
} from "../../../modules/crypto-payments/gateway-problem"
import type { Viewer } from "../../../modules/crypto-payments/reports/customer-sql"
import type CryptoPaymentsModuleService from "../../../modules/crypto-payments/service"
import { viewerOf } from "./viewer"

/**
 * Answers with the row as it now is, without what only the ledger needs.
 *
 * @param id of the row; that of the path if none is given
 */
export async function respondWithCryptoPayment(
  req: AuthenticatedMedusaRequest,
  res: MedusaResponse,
  more: Record<string, unknown> = {},
  id = req.params["id"] ?? ""
): Promise<void> {
  const viewer = await viewerOf(req)
  const crypto_payment = await resolveLedger(req.scope).search.find(id, viewer)
  if (crypto_payment === undefined) {
    throw unknownRequestError(id)
  }
  const shown: BeforeJson<CryptoPayment> = showRow(crypto_payment, viewer)
  res.status(200).json({ crypto_payment: shown, ...more })
}

/**
 * A row as a viewer may see it. Whoever may not read orders is shown no id of a cart or an order: either opens it in
 * Medusa's store routes, which ask for no login, with the customer's address and e-mail.
 */
export function showRow<Row extends RowWithIds>(row: Row, { orders }: Viewer): Row {
  return orders
    ? row
    : { ...row, cart_id: null, order_id: null, attention_detail: withoutIds(row.attention_detail) }
}

interface RowWithIds {
  cart_id: string | null
  order_id: string | null
  attention_detail: Record<string, string | null> | null
}

/** Details of a case or of an entry of the timeline, without the ids of orders and carts. */
export function withoutIds<Detail extends object | null>(detail: Detail): Detail {
  return detail && { ...detail, order_id: null, cart_id: null }
}

/** A report as a viewer may see it. @see showRow */
export function showAudit(audit: AuditReport, { orders }: Viewer): AuditReport {
  return orders
    ? audit
    : { ...audit, findings: audit.findings.map((finding) => ({ ...finding, order_ids: [] })) }
}

/** What was found of a provider. @throws MedusaError 404 when medusa-config registers no such one */
export function found<Found>(value: Found | undefined): Found {
  if (value === undefined) {
    throw new MedusaError(
      MedusaError.Types.NOT_FOUND,
      "medusa-config registers no crypto payment provider of this id."
    )
  }
  return value
}

const PROBLEM_TYPES = {
  400: MedusaError.Types.INVALID_DATA,
  404: MedusaError.Types.NOT_FOUND,
  409: MedusaError.Types.CONFLICT,
  502: MedusaError.Types.UNEXPECTED_STATE,
} as const

/** An answer that says what is wrong by a stable code, with the fields a form needs. */
export function answerProblem<Answer>(
  res: MedusaResponse<Answer>,
  status: keyof typeof PROBLEM_TYPES,
  body: { code: string; message: string; [field: string]: unknown }
): void {
  const refusing = res as MedusaResponse<Answer | Record<string, unknown>>
  refusing.status(status).json({ type: PROBLEM_TYPES[status], ...body })
}

/**
 * Waits for a workflow that may not run twice at a time; answers 409 `already_running` when another run has not ended.
 *
 * @param busy what is running, in a sentence for the merchant
 * @returns undefined when an answer has been given
 */
export async function finishOrAnswerRunning<Result, Answer>(
  res: MedusaResponse<Answer>,
  run: Promise<{ result: Result; errors: { error?: unknown }[] }>,
  busy: string
): Promise<Result | undefined> {
  const { result, errors } = await run
  const failure: unknown = errors[0]?.error
  if (failure === undefined) {
    return result
  }
  if (!isConflict(failure)) {
    throw failure instanceof Error ? failure : new Error("The workflow failed.", { cause: failure })
  }
  answerProblem(res, 409, { code: "already_running", message: `${busy} Wait until that is done.` })
  return undefined
}

/**
 * Runs what asks a provider's gateway; when it cannot be read, answers 502 with the problem, 404 with the gateway's
 * words if it does not have the requested object, or 400 when the provider is not configured.
 *
 * @returns undefined when an answer has been given
 */
export async function withGateway<Result, Answer>(
  req: MedusaRequest,
  res: MedusaResponse<Answer>,
  asked: string | undefined,
  work: (
    gateway: Awaited<ReturnType<CryptoPaymentsModuleService["gateways"]["connect"]>>,
    providerId: string
  ) => Promise<Result>
): Promise<{ provider_id: string; result: Result } | undefined> {
  const ledger = resolveLedger(req.scope)
  const provider_id = await chooseProvider(ledger, asked)
  const resolution = await ledger.settings.resolve(provider_id)
  if (resolution?.configured === false) {
    answerProblem(res, 400, {
      code: "not_configured" satisfies GatewayProblem["problem"],
      message: `This provider is not configured yet. Missing: ${resolution.missing.join(", ")}.`,
    })
    return undefined
  }
  try {
    return { provider_id, result: await work(await ledger.gateways.connect(provider_id), provider_id) }
  } catch (error) {
    if (!(error instanceof GatewayError)) {
      throw error
    }
    const { problem, message } = describeGatewayProblem(error)
    if (isUnknownToGateway(error)) {
      const words = showableWords(error, resolution?.settings)
      answerProblem(res, 404, {
        code: problem,
        message: words === null ? message : `${message} It says: ${words}`,
      })
    } else {
      answerProblem(res, 502, { code: problem, message })
    }
    return undefined
  }
}

/** The requested provider, or the only one. @throws MedusaError 400 or 404 */
async function chooseProvider(
  ledger: CryptoPaymentsModuleService,
  asked: string | undefined
): Promise<string> {
  const registered = await ledger.settings.listRegistered()
  const [only, ...others] = registered
  const chosen = asked ?? (others.length === 0 ? only : undefined)
  if (chosen === undefined) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      only === undefined
        ? "medusa-config registers no crypto payment provider."
        : `Say which provider with provider_id: ${registered.join(", ")}.`
    )
  }
  if (!registered.includes(chosen) && (await ledger.health.listProvidersWithPayments()).includes(chosen)) {
    throw providerMissingError(chosen, MedusaError.Types.NOT_FOUND)
  }
  return found(registered.includes(chosen) ? chosen : undefined)
}

/** A record of the gateway's as an admin sees it: without the payer's e-mail and names. */
export function toGatewayRecord(read: PaymentRequest): GatewayRecord {
  return {
    payment_request_id: read.paymentRequestId,
    payment_link: read.paymentLink,
    payment_status: read.paymentStatusReceived,
    currency_symbol: read.currencySymbol,
    amount: read.amount,
    payment_currency: read.paymentCurrency,
    payment_amount: read.paymentAmount,
    receiving_amount: read.receivingAmount,
    fee_amount: read.paymentFeeAmount,
    fee_paid_by: read.feePaidBy,
    paid_amount: read.paidAmount,
    ref_id: read.refId,
    note: read.note,
  }
}
