import { MedusaError } from "@medusajs/framework/utils"
import { createStep, StepResponse } from "@medusajs/framework/workflows-sdk"
import { ListWalk, PAYMENT_REQUEST_ID_PATTERN, type FreshPage, type PaymentRequest } from "../../gateway"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type { ListLedger } from "../../modules/crypto-payments/reconciliation/list-store"
import {
  sessionOfNote,
  type ListScope,
  type MatchedRequest,
} from "../../modules/crypto-payments/reconciliation/match-listed"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { toAllDecimals } from "../../decision"
import { addFinding, emptyReport, type ListReport } from "./list-report"

/** Which provider's list to compare. MedusaError 400 when it is not configured, 409 while another comparison of it runs. */
export interface ReconcileListInput {
  /** `pp_crypto_<id>`, configured. */
  provider_id: string
  /** Most calls of the list; a longer list is reported as incomplete. Default 2000. */
  max_calls?: number
}

/** What a second comparison of the same provider is told. */
const RECONCILIATION_RUNS =
  "The gateway's list is being compared for this provider at this moment. Wait until that is done."
const MAX_CALLS = 2000
const LEDGER_BATCH = 1000

export interface Comparison {
  lists: ListLedger
  scope: ListScope
  report: ListReport
}

/**
 * Walks the gateway's list, compares it with the ledger page by page, then looks for rows of the ledger the list lacks.
 *
 * There is no compensation: a row that was made due or found is right to stay so.
 *
 * @example
 * reconcileListStep({ provider_id: "pp_crypto_default" })
 */
export const reconcileListStep = createStep(
  { name: "reconcile-list", noCompensation: true },
  async ({ provider_id: providerId, max_calls: maxCalls = MAX_CALLS }: ReconcileListInput, { container }) => {
    const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
    const { client, origin, account } = await ledger.openGateway(providerId)
    const startedAt = await ledger.statuses.startReconciliation(providerId)
    if (startedAt === undefined) {
      throw new MedusaError(MedusaError.Types.CONFLICT, RECONCILIATION_RUNS)
    }
    const report = emptyReport(providerId, startedAt)
    let finished: ListReport | null = null
    try {
      const comparison: Comparison = {
        lists: ledger.lists,
        scope: { providerId, account, origin },
        report,
      }
      const walk = new ListWalk(client, maxCalls)
      for await (const page of walk.freshPages()) {
        await comparePage(comparison, page)
        await ledger.statuses.prolongReconciliation(providerId, startedAt)
      }
      report.complete = walk.isComplete
      report.incomplete_because = walk.gaps
      report.counts.calls = walk.calls
      report.counts.listed = walk.seen.size
      report.counts.unreadable = walk.unreadable
      if (walk.isComplete) {
        await findNotListed(comparison, walk.seen, startedAt)
      }
      report.finished_at = (await ledger.lists.now()).toISOString()
      finished = report
    } finally {
      await ledger.statuses.endReconciliation(providerId, startedAt, finished)
    }
    return new StepResponse(report)
  }
)

/** Compares listed records with the ledger: what turns out to be ours or paid has a row, and is due. */
export async function comparePage(
  comparison: Comparison,
  { paymentRequests: page, unreadable }: FreshPage
): Promise<void> {
  const { lists, scope, report } = comparison
  const byId = new Map(page.map((request) => [request.paymentRequestId, request]))
  const broken = new Map(unreadable.map(({ paymentRequestId, fields }) => [paymentRequestId, fields]))
  const matched = await lists.match(
    scope,
    [...page.filter(isReadable), ...unreadable].map((listed) => ({
      payment_request_id: listed.paymentRequestId,
      note: sessionOfNote(listed.note),
      // A broken record may be of a paid request: its row is made due, and the read of that request alone will tell.
      is_paid: "paymentStatus" in listed ? listed.paymentStatus === "PAID" : true,
    }))
  )
  // What we could not ask for again is not ours: the create refuses such an id.
  report.counts.others += page.length + unreadable.length - matched.length
  for (const request of matched) {
    const fields = broken.get(request.payment_request_id)
    if (fields !== undefined) {
      const { id, payment_request_id } = request
      addFinding(report, { id, payment_request_id, finding: "unreadable", listed_status: null, fields })
    }
    const listed_status = byId.get(request.payment_request_id)?.paymentStatus ?? null
    const { id, payment_request_id } = request
    if (id !== null) {
      report.counts.known++
      const isBound = request.is_bindable && request.note !== null && (await lists.bind(id, request.note))
      if ((request.is_made_due || isBound) && fields === undefined) {
        addFinding(report, { id, payment_request_id, finding: "check_requested", listed_status })
      }
    } else if (request.note === null) {
      report.counts.others++
    } else {
      const taken = await takeStray(comparison, request, request.note, byId.get(payment_request_id))
      addFinding(report, { payment_request_id, listed_status, ...taken })
    }
  }
}

/** A request of ours that the ledger does not know: the answer of its creation was lost on the way. */
async function takeStray(
  { lists, scope }: Comparison,
  { payment_request_id, half_id, kin_id, has_session }: MatchedRequest,
  note: string,
  listed: PaymentRequest | undefined
): Promise<Pick<ListReport["rows"][number], "id" | "finding">> {
  const request = { payment_request_id, note }
  if (half_id !== null && (await lists.adopt(scope, half_id, request))) {
    return { id: half_id, finding: "adopted" }
  }
  // Two requests can carry the same note: then the row that waited for an answer has just got the other one's.
  const besideId = kin_id ?? half_id
  if (besideId === null && !has_session) {
    // Only what is paid: an unpaid request nobody knows is watched by the next comparison.
    const id =
      listed?.paymentStatus === "PAID"
        ? await lists.insertUnknown(scope, {
            ...request,
            amount: toAllDecimals(listed.amount),
            currency_code: listed.currencySymbol.toLowerCase(),
          })
        : null
    return { id: id ?? null, finding: "unknown_session" }
  }
  const id =
    besideId !== null
      ? await lists.insertBeside(scope, besideId, request)
      : await lists.insertForSession(scope, request)
  return { id: id ?? half_id, finding: id === undefined ? "creation_under_way" : "inserted" }
}

async function findNotListed(
  { lists, scope, report }: Comparison,
  seen: ReadonlySet<string>,
  before: Date
): Promise<void> {
  let after = ""
  for (;;) {
    const rows = await lists.listAfter({ ...scope, before }, after, LEDGER_BATCH)
    for (const { id, payment_request_id } of rows) {
      if (!seen.has(payment_request_id)) {
        addFinding(report, { id, payment_request_id, finding: "not_listed", listed_status: null })
      }
      after = id
    }
    if (rows.length < LEDGER_BATCH) {
      return
    }
  }
}

function isReadable({ paymentRequestId }: PaymentRequest): boolean {
  return PAYMENT_REQUEST_ID_PATTERN.test(paymentRequestId)
}
