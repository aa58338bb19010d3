import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"
import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
  type WorkflowData,
} from "@medusajs/framework/workflows-sdk"
import { ListWalk, PAYMENT_REQUEST_ID_PATTERN, type FreshPage } from "../gateway"
import { resolveLedger } from "../modules/crypto-payments"
import { describeGatewayProblem } from "../modules/crypto-payments/gateway-problem"
import type { ListStore } from "../modules/crypto-payments/reconciliation/list-store"
import { sessionOfNote, type ListScope } from "../modules/crypto-payments/reconciliation/match-listed"
import type { RunEnd, RunStarter } from "../modules/crypto-payments/reconciliation/runs"
import type Ledger from "../modules/crypto-payments/service"
import { warn } from "./core/settling"
import { addFinding, emptyReport, type ListReport } from "./list-report"
import { settleWorker } from "./settle-worker"

/** MedusaError 400 when the provider is not configured, 409 while another comparison of it runs. */
export interface ReconcileListInput {
  provider_id: string
  /** Most requests for pages; a longer list is reported as incomplete. Default 2000. */
  max_calls?: number
  /** For the history of runs. Default `script`. */
  started_by?: RunStarter
}

const MAX_CALLS = 2000

/**
 * Walks the gateway's list, compares it with the rows page by page, then looks for rows that the list lacks. Without a
 * compensation: rows that were made due or added stay so.
 *
 * @example
 * reconcileListStep({ provider_id: "pp_crypto_default" })
 */
const reconcileListStep = createStep(
  { name: "reconcile-list", noCompensation: true },
  async (
    {
      provider_id: providerId,
      max_calls: maxCalls = MAX_CALLS,
      started_by = { type: "script" },
    }: ReconcileListInput,
    { container }
  ) => {
    const ledger = resolveLedger(container)
    const { client, scope } = await connect(ledger, providerId)
    const running = await ledger.reconciliations.start(providerId, started_by)
    if (running === undefined) {
      throw new MedusaError(
        MedusaError.Types.CONFLICT,
        "The gateway's list is being compared for this provider at this moment. Wait until that is done."
      )
    }
    const report = emptyReport(providerId, running.startedAt)
    let end: RunEnd = { outcome: "failed", problem: null }
    try {
      // Before each page, also one that shows nothing new.
      const listPaymentRequests: typeof client.listPaymentRequests = async (asked) => {
        await ledger.reconciliations.prolong(running)
        return await client.listPaymentRequests(asked)
      }
      const walk = new ListWalk({ listPaymentRequests }, maxCalls)
      for await (const page of walk.freshPages()) {
        await comparePage(ledger.lists, scope, report, page)
      }
      report.complete = walk.isComplete
      report.incomplete_because = walk.gaps
      report.counts.calls = walk.calls
      report.counts.listed = walk.seen.size
      report.counts.unreadable = walk.unreadable
      if (walk.isComplete) {
        const rows = ledger.lists.listBefore(scope, running.startedAt)
        for await (const { id, payment_request_id } of rows) {
          if (!walk.seen.has(payment_request_id)) {
            addFinding(report, { id, payment_request_id, finding: "not_listed", listed_status: null })
          }
        }
      }
      report.finished_at = (await ledger.facts.now()).toISOString()
      report.gateway_problem = walk.failure && describeGatewayProblem(walk.failure)
      end =
        report.gateway_problem === null
          ? { outcome: report.complete ? "complete" : "incomplete", report }
          : { outcome: "failed", problem: report.gateway_problem.problem }
    } finally {
      await ledger.reconciliations.end(running, end)
    }
    return new StepResponse(report)
  }
)

/** Id of `reconcileGatewayListWorkflow`, for a workflow engine that runs workflows by name. */
export const reconcileGatewayListWorkflowId = "reconcile-gateway-list"

/**
 * Compares the gateway's own list with the rows, both ways. Rows that turn out to be ours or paid become due, and the
 * next tick of `reconcile-payment-requests` settles them. It captures nothing, so it may run anywhere, even in a
 * process that shares no locks with the store.
 *
 * @example const { result } = await reconcileGatewayListWorkflow(container).run({ input: { provider_id:
 *   "pp_crypto_default" } })
 */
export const reconcileGatewayListWorkflow = createWorkflow(
  reconcileGatewayListWorkflowId,
  (input: WorkflowData<ReconcileListInput>) => {
    return new WorkflowResponse(reconcileListStep(input))
  }
)

/** Compares listed records with the rows: what turns out to be ours or paid has a row, and is due. */
async function comparePage(
  lists: ListStore,
  scope: ListScope,
  report: ListReport,
  { paymentRequests: page, unreadable }: FreshPage
): Promise<void> {
  const byId = new Map(page.map((request) => [request.paymentRequestId, request]))
  const broken = new Map(unreadable.map(({ paymentRequestId, fields }) => [paymentRequestId, fields]))
  const matched = await lists.match(
    scope,
    // An id that cannot be requested is not ours: the create refuses such an id.
    [
      ...page.filter(({ paymentRequestId }) => PAYMENT_REQUEST_ID_PATTERN.test(paymentRequestId)),
      ...unreadable,
    ].map((listed) => ({
      payment_request_id: listed.paymentRequestId,
      note: sessionOfNote(listed.note),
      // A broken record may be of a paid request: its row is made due, and only the read of that request decides.
      is_paid: "paymentStatus" in listed ? listed.paymentStatus === "PAID" : true,
    }))
  )
  report.counts.others += page.length + unreadable.length - matched.length
  for (const request of matched) {
    const { id, payment_request_id, note } = request
    const fields = broken.get(payment_request_id)
    if (fields !== undefined) {
      addFinding(report, { id, payment_request_id, finding: "unreadable", listed_status: null, fields })
    }
    const listed = byId.get(payment_request_id)
    const listed_status = listed?.paymentStatus ?? null
    if (id !== null) {
      report.counts.known++
      const isBound = request.has_session && note !== null && (await lists.bind(id, note))
      if ((request.is_made_due || isBound) && fields === undefined) {
        addFinding(report, { id, payment_request_id, finding: "check_requested", listed_status })
      }
    } else if (note === null) {
      report.counts.others++
    } else {
      const taken = await lists.take(scope, { ...request, note }, listed)
      addFinding(report, { payment_request_id, listed_status, ...taken })
    }
  }
}

/**
 * A genuine notification named a request without a row. If its note names a session whose request got no answer, the
 * request is read at the gateway and taken over, as in the nightly comparison, which finds it anyway. Other
 * notifications, such as those of another shop on the account, cost no gateway call. At most ten such reads a minute in
 * this process, because a notification may be repeated.
 *
 * @param note decides only whether the gateway is asked
 */
export async function lookUpNotified(
  container: MedusaContainer,
  providerId: string,
  paymentRequestId: string,
  note: unknown
): Promise<void> {
  const ledger = resolveLedger(container)
  try {
    const sessionId = sessionOfNote(note)
    if (sessionId === null || !(await ledger.checks.mayLookUp(sessionId))) {
      return
    }
    const { client, scope } = await connect(ledger, providerId)
    const record = await client.readPaymentRequest(paymentRequestId)
    const report = emptyReport(providerId, await ledger.facts.now())
    await comparePage(ledger.lists, scope, report, { paymentRequests: [record], unreadable: [] })
    for (const { id } of report.rows) {
      if (id !== null) {
        await ledger.queue.requestCheck(id, "notification")
      }
    }
    settleWorker.wake(container)
  } catch (error) {
    warn(container, `${providerId}: a notified request without a row could not be looked up`, error)
  }
}

async function connect(ledger: Ledger, providerId: string) {
  const settings = await ledger.settings.require(providerId)
  const { origin, account } = settings
  const scope: ListScope = { providerId, account, origin, origins: await ledger.settings.listOrigins() }
  return { client: ledger.gateways.clientFor(settings), scope }
}
