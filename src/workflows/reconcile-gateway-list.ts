import type { MedusaContainer } from "@medusajs/framework/types"
import { ListWalk } from "../gateway"
import { resolveLedger } from "../modules/crypto-payments"
import { alreadyRunning } from "../modules/crypto-payments/errors"
import { describeGatewayProblem } from "../modules/crypto-payments/gateway-problem"
import {
  addFinding,
  noFindings,
  type ListReport,
} from "../modules/crypto-payments/reconciliation/list-report"
import type { RunEnd } from "../modules/crypto-payments/reconciliation/runs"

/** Which list to compare, and how far. */
export interface ReconcileListInput {
  provider_id: string
  /** Most requests for pages; a longer list is reported as incomplete. Default 2000. */
  max_calls?: number
}

/**
 * Walks the gateway's list, compares it with the rows page by page, then looks for rows that the list lacks. Rows that
 * turn out to be ours or paid become due, and the next tick of `reconcile-payment-requests` settles them. It captures
 * nothing, so it may run anywhere, even in a process that shares no locks with the store.
 *
 * @throws MedusaError 400 when the provider is not configured; Refused 409 while another comparison of it runs
 * @example
 * const report = await reconcileGatewayList(container, { provider_id: "pp_crypto_default" })
 */
export async function reconcileGatewayList(
  container: MedusaContainer,
  { provider_id: providerId, max_calls: maxCalls = 2000 }: ReconcileListInput
): Promise<ListReport> {
  const ledger = resolveLedger(container)
  const settings = await ledger.settings.require(providerId)
  const client = ledger.gateways.clientFor(settings, "settling")
  const running = await ledger.reconciliations.start(providerId)
  if (running === undefined) {
    throw alreadyRunning("The gateway's list is being compared at this moment. Wait until that is done.")
  }
  const found = noFindings()
  let end: RunEnd = { problem: null }
  try {
    // Before each page, also one that shows nothing new.
    const listPaymentRequests: typeof client.listPaymentRequests = async (asked) => {
      await ledger.reconciliations.prolong(running)
      return await client.listPaymentRequests(asked)
    }
    const walk = new ListWalk({ listPaymentRequests }, maxCalls)
    for await (const page of walk.freshPages()) {
      const { known, others, findings } = await ledger.lists.compare(settings, page)
      found.counts.known += known
      found.counts.others += others
      for (const finding of findings) {
        addFinding(found, finding)
      }
    }
    if (walk.isComplete) {
      const rows = ledger.lists.listBefore(settings, running.startedAt)
      for await (const { id, payment_request_id } of rows) {
        if (!walk.seen.has(payment_request_id)) {
          addFinding(found, { id, payment_request_id, finding: "not_listed", listed_status: null })
        }
      }
    }
    const { calls, seen, unreadable, isComplete: complete } = walk
    const report: ListReport = {
      provider_id: providerId,
      started_at: running.startedAt.toISOString(),
      finished_at: (await ledger.facts.now()).toISOString(),
      complete,
      incomplete_because: walk.gaps,
      gateway_problem: walk.failure && describeGatewayProblem(walk.failure),
      ...found,
      counts: { ...found.counts, calls, listed: seen.size, unreadable },
    }
    end = report.gateway_problem === null ? { report } : { problem: report.gateway_problem.problem }
    return report
  } finally {
    await ledger.reconciliations.end(running, end)
  }
}
