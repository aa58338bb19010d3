import { hasPermission } from "@medusajs/framework"
import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError, PolicyOperation } from "@medusajs/framework/utils"
import type { z } from "@medusajs/framework/zod"
import { GatewayError, type PaymentRequest } from "../../../gateway"
import type { AuditReport, BeforeJson, CryptoPayment, GatewayRecord } from "../../../http-contract"
import { resolveLedger } from "../../../modules/crypto-payments"
import { isConflict, providerMissingError } from "../../../modules/crypto-payments/errors"
import {
  describeGatewayProblem,
  isUnknownToGateway,
  showableWords,
} from "../../../modules/crypto-payments/gateway-problem"
import { SettingsRefused } from "../../../modules/crypto-payments/settings/draft-settings"
import type { Viewer } from "../../../modules/crypto-payments/reports/customer-sql"
import type CryptoPaymentsModuleService from "../../../modules/crypto-payments/service"

/** A request whose query or body a schema of `validators.ts` has validated. */
export type Asking<Schema extends z.ZodType> = AuthenticatedMedusaRequest<z.infer<Schema>, z.infer<Schema>>

/** Makes a route of what works out the answer to a request. A `Problem` is answered with its status and fields. */
export function answer<Request extends AuthenticatedMedusaRequest>(
  work: (req: Request) => Promise<object>
): (req: Request, res: MedusaResponse) => Promise<void> {
  return async (req, res) => {
    try {
      res.status(200).json(await work(req))
    } catch (error) {
      if (error instanceof SettingsRefused) {
        const { refusal } = error
        const isConflict = refusal.code === "stale_version" || refusal.code === "origin_change_unconfirmed"
        answerProblem(res, isConflict ? 409 : 400, { ...refusal })
        return
      }
      if (!(error instanceof Problem)) {
        throw error
      }
      answerProblem(res, error.status, error.body)
    }
  }
}

const PROBLEM_TYPES = {
  400: MedusaError.Types.INVALID_DATA,
  404: MedusaError.Types.NOT_FOUND,
  409: MedusaError.Types.CONFLICT,
  502: MedusaError.Types.UNEXPECTED_STATE,
} as const

interface ProblemBody {
  code: string
  message: string
  [field: string]: unknown
}

/** Ends a route with a status, a code or fields that core's error handler does not give. */
export class Problem extends Error {
  constructor(
    readonly status: keyof typeof PROBLEM_TYPES,
    readonly body: ProblemBody
  ) {
    super(body.code)
  }
}

/** An answer that says what is wrong by a stable code, with the fields a form needs. */
export function answerProblem<Answer>(
  res: MedusaResponse<Answer>,
  status: keyof typeof PROBLEM_TYPES,
  body: ProblemBody
): void {
  const refusing = res as MedusaResponse<Answer | Record<string, unknown>>
  refusing.status(status).json({ type: PROBLEM_TYPES[status], ...body })
}

/** A row as it now is, without what only the ledger needs. @param id that of the path if none is given */
export async function showCryptoPayment(
  req: AuthenticatedMedusaRequest,
  id = req.params["id"] ?? ""
): Promise<BeforeJson<CryptoPayment>> {
  return await resolveLedger(req.scope).search.require(id, await viewerOf(req))
}

/**
 * What the roles of the admin user allow in addition to payments. A store without roles shows everything, as core does.
 * A user without any role does not come here: each route asks for a permission first.
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

/** A report as the admin user may see it. @see PaymentSearch */
export async function showAudit(req: AuthenticatedMedusaRequest, audit: AuditReport): Promise<AuditReport> {
  const { orders } = await viewerOf(req)
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

/**
 * Waits for a workflow that may not run twice at a time.
 *
 * @param busy what is running, in a sentence for the merchant
 * @throws Problem 409 `already_running` when another run has not ended
 */
export async function finishAlone<Result>(
  run: Promise<{ result: Result; errors: { error?: unknown }[] }>,
  busy: string
): Promise<Result> {
  const { result, errors } = await run
  const failure: unknown = errors[0]?.error
  if (failure === undefined) {
    return result
  }
  if (!isConflict(failure)) {
    throw failure instanceof Error ? failure : new Error("The workflow failed.", { cause: failure })
  }
  throw new Problem(409, { code: "already_running", message: `${busy} Wait until that is done.` })
}

type Gateway = Awaited<ReturnType<CryptoPaymentsModuleService["gateways"]["connect"]>>

/**
 * Runs what asks a provider's gateway.
 *
 * @param asked the provider; may be left out when there is one
 * @throws Problem 502 when the gateway cannot be read, 404 with its words if it does not have the requested object;
 *   MedusaError 400 when the provider is not configured
 */
export async function withGateway<Result>(
  scope: MedusaContainer,
  asked: string | undefined,
  work: (gateway: Gateway, providerId: string) => Promise<Result>
): Promise<{ provider_id: string; result: Result }> {
  const ledger = resolveLedger(scope)
  const provider_id = await chooseProvider(ledger, asked)
  const settings = await ledger.settings.require(provider_id)
  try {
    return { provider_id, result: await work(await ledger.gateways.connect(provider_id), provider_id) }
  } catch (error) {
    if (!(error instanceof GatewayError)) {
      throw error
    }
    const { problem, message } = describeGatewayProblem(error)
    if (!isUnknownToGateway(error)) {
      throw new Problem(502, { code: problem, message })
    }
    const words = showableWords(error, settings)
    throw new Problem(404, {
      code: problem,
      message: words === null ? message : `${message} It says: ${words}`,
    })
  }
}

/** The requested provider, or the only one. @throws MedusaError 400 or 404 */
async function chooseProvider(
  ledger: CryptoPaymentsModuleService,
  asked: string | undefined
): Promise<string> {
  const registered = await ledger.settings.listRegistered()
  const chosen = asked ?? (registered.length === 1 ? registered[0] : undefined)
  if (chosen === undefined) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      registered.length === 0
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
