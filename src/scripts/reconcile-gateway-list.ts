import type { ExecArgs } from "@medusajs/framework/types"
import { resolveLedger } from "../modules/crypto-payments"
import { reconcileGatewayList, type ListReport } from "../workflows"

/**
 * Compares the gateway's list with the ledger and prints the report, for the providers named or for all that are
 * configured. What it makes due is settled by the running store within a minute.
 *
 * @example
 * PLUGIN=$(node -p "path.dirname(require.resolve('medusa-payment-crypto/package.json'))")
 * npx medusa exec "$PLUGIN/.medusa/server/src/scripts/reconcile-gateway-list.js"
 */
export default async function printReconciliation({ container, args }: ExecArgs): Promise<void> {
  const ledger = resolveLedger(container)
  const providerIds = args.length > 0 ? args : await ledger.settings.listConfigured()
  if (providerIds.length === 0) {
    await print(["No crypto payment provider is configured."])
  }
  for (const provider_id of providerIds) {
    await print(describe(await reconcileGatewayList(container, { provider_id })))
  }
}

function describe(report: ListReport): string[] {
  const { provider_id, complete, gateway_problem, rows_left_out } = report
  if (gateway_problem !== null) {
    return ["", `Gateway list of ${provider_id}: NOT compared. ${gateway_problem.message}`]
  }
  return [
    "",
    `Gateway list of ${provider_id}: ${complete ? "seen to its end" : "NOT seen to its end"}`,
    ...report.incomplete_because.map(
      ({ page, reason }) => `  because: ${reason}${page === null ? "" : `, page ${page}`}`
    ),
    ...Object.entries(report.counts).map(([name, count]) => `  ${name.padEnd(20)}${count}`),
    ...report.rows.map(({ id, payment_request_id, finding, listed_status, fields }) =>
      [
        finding,
        payment_request_id,
        id ?? "no row",
        fields === undefined ? (listed_status ?? "not listed") : `wrong: ${fields.join(", ")}`,
      ].join("  ")
    ),
    ...(rows_left_out === 0 ? [] : [`and ${rows_left_out} more`]),
  ]
}

/** `medusa exec` ends the process right after, so the text has to be out before. */
async function print(lines: string[]): Promise<void> {
  await new Promise((written) => process.stdout.write(`${lines.join("\n")}\n`, written))
}
