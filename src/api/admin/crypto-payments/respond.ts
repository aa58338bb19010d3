import { hasPermission } from "@medusajs/framework"
import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { MedusaContainer } from "@medusajs/framework/types"
import { PolicyOperation } from "@medusajs/framework/utils"
import type { z } from "@medusajs/framework/zod"
import { GatewayError, type GatewayClient, type PaymentRequest } from "../../../gateway"
import { resolveLedger } from "../../../modules/crypto-payments"
import { invalidData, Refused, unknownProviderError } from "../../../modules/crypto-payments/errors"
import { describeGatewayProblem, isUnknownToGateway } from "../../../modules/crypto-payments/gateway-problem"
import type { Viewer } from "../../../modules/crypto-payments/reports/people"
import type CryptoPaymentsModuleService from "../../../modules/crypto-payments/service"
import type { ProviderSettings } from "../../../modules/crypto-payments/settings/effective-settings"
import { answerRefused } from "../../answer-refused"

export type Asking<Schema extends z.ZodType> = AuthenticatedMedusaRequest<z.infer<Schema>, z.infer<Schema>>

/** A route that answers 200 with what `work` returns. */
export function answer<Request extends AuthenticatedMedusaRequest, Answer extends object>(
  work: (req: Request, ledger: CryptoPaymentsModuleService) => Promise<Answer>
): (req: Request, res: MedusaResponse<Answer>) => Promise<void> {
  return async (req, res) => {
    try {
      res.status(200).json(await work(req, resolveLedger(req.scope)))
    } catch (error) {
      if (!(error instanceof Refused)) {
        throw error
      }
      answerRefused(res, error)
    }
  }
}

/** A row as it is now, without internal columns. @param id by default that of the path */
export async function showCryptoPayment(req: AuthenticatedMedusaRequest, id = req.params["id"] ?? "") {
  return await resolveLedger(req.scope).shown.require(id, await viewerOf(req))
}

/**
 * What the admin user's roles allow in addition to payments. A store without roles shows everything, as core does. A
 * user without any role never gets here: each route requires a permission first.
 */
export async function viewerOf({ auth_context, scope }: AuthenticatedMedusaRequest): Promise<Viewer> {
  const roles = (auth_context.app_metadata["roles"] ?? []) as string[]
  const [customers = false, users = false, orders = false] = await Promise.all(
    ["customer", "user", "order"].map((resource) =>
      hasPermission({ roles, actions: { resource, operation: PolicyOperation.read }, container: scope })
    )
  )
  return { customers, users, orders }
}

/**
 * Runs work that asks a provider's gateway, and adds the provider to what it returns.
 *
 * @param asked the provider; optional when there is only one
 * @throws Refused 502 when the gateway cannot be read, 404 if it does not have the requested object;
 *   MedusaError 400 when the provider is not configured
 */
export async function withGateway<Result extends object>(
  scope: MedusaContainer,
  asked: string | undefined,
  work: (client: GatewayClient, settings: ProviderSettings) => Promise<Result>
): Promise<Result & { provider_id: string }> {
  const ledger = resolveLedger(scope)
  const provider_id = await requireProvider(ledger, asked)
  const settings = await ledger.settings.require(provider_id)
  try {
    return { ...(await work(ledger.gateways.clientFor(settings), settings)), provider_id }
  } catch (error) {
    if (!(error instanceof GatewayError)) {
      throw error
    }
    const { problem, message } = describeGatewayProblem(error)
    throw new Refused(isUnknownToGateway(error) ? 404 : 502, { code: problem, message })
  }
}

/** The requested provider, or the only one. @throws MedusaError 400 or 404 */
async function requireProvider(
  ledger: CryptoPaymentsModuleService,
  asked: string | undefined
): Promise<string> {
  const registered = await ledger.settings.listRegistered()
  const chosen = asked ?? (registered.length === 1 ? registered[0] : undefined)
  if (chosen === undefined) {
    throw invalidData(
      registered.length === 0
        ? "medusa-config registers no crypto payment provider."
        : `Say which provider with provider_id: ${registered.join(", ")}.`
    )
  }
  if (!registered.includes(chosen)) {
    throw unknownProviderError()
  }
  return chosen
}

/** The gateway's record for an admin user: without the payer's e-mail and names. */
export function toGatewayRecord(read: PaymentRequest) {
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
