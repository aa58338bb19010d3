import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { GatewayError, type PaymentRequest } from "../../../gateway"
import { CRYPTO_PAYMENTS_MODULE } from "../../../modules/crypto-payments"
import { providerMissingError, unknownRequestError } from "../../../modules/crypto-payments/errors"
import {
  describeGatewayProblem,
  isUnknownToGateway,
  showableWords,
  type GatewayProblem,
} from "../../../modules/crypto-payments/gateway-problem"
import type CryptoPaymentsModuleService from "../../../modules/crypto-payments/service"

export function resolveLedger({ scope }: MedusaRequest): CryptoPaymentsModuleService {
  return scope.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
}

/** Answers with the row as it now is, without what only the ledger needs. */
export async function respondWithCryptoPayment(
  req: MedusaRequest,
  res: MedusaResponse,
  more: Record<string, unknown> = {}
): Promise<void> {
  const id = req.params["id"] ?? ""
  const crypto_payment = await resolveLedger(req).search.find(id)
  if (crypto_payment === undefined) {
    throw unknownRequestError(id)
  }
  res.status(200).json({ crypto_payment, ...more })
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
export function answerProblem(
  res: MedusaResponse,
  status: keyof typeof PROBLEM_TYPES,
  body: { code: string; message: string; [field: string]: unknown }
): void {
  res.status(status).json({ type: PROBLEM_TYPES[status], ...body })
}

/**
 * Runs what asks a provider's gateway; when it cannot be read, answers 502 with the problem, 404 with the gateway's words
 * when it does not have what it was asked for, or 400 when the provider is not configured.
 *
 * @returns undefined when an answer has been given
 */
export async function withGateway<Result>(
  req: MedusaRequest,
  res: MedusaResponse,
  asked: string | undefined,
  work: (
    gateway: Awaited<ReturnType<CryptoPaymentsModuleService["openGateway"]>>,
    providerId: string
  ) => Promise<Result>
): Promise<{ provider_id: string; result: Result } | undefined> {
  const ledger = resolveLedger(req)
  const provider_id = await chooseProvider(ledger, asked)
  const resolution = await ledger.resolveSettings(provider_id)
  if (resolution?.configured === false) {
    answerProblem(res, 400, {
      code: "not_configured" satisfies GatewayProblem["problem"],
      message: `This provider is not configured yet. Missing: ${resolution.missing.join(", ")}.`,
    })
    return undefined
  }
  try {
    return { provider_id, result: await work(await ledger.openGateway(provider_id), provider_id) }
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

/** The provider asked for, or the only one there is. @throws MedusaError 400 or 404 */
async function chooseProvider(
  ledger: CryptoPaymentsModuleService,
  asked: string | undefined
): Promise<string> {
  const registered = await ledger.listProviders()
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
  if (!registered.includes(chosen) && (await ledger.listProvidersWithPayments()).includes(chosen)) {
    throw providerMissingError(chosen, MedusaError.Types.NOT_FOUND)
  }
  return found(registered.includes(chosen) ? chosen : undefined)
}

/** A record of the gateway's as an admin sees it: without the payer's e-mail and names. */
export function toGatewayRecord(read: PaymentRequest): Record<string, string | null> {
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
