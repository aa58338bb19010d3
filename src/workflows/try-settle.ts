import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { describeError } from "../modules/crypto-payments/errors"
import { settlePaymentRequestWorkflow } from "./settle-payment-request"
import type { SettleTrigger } from "./steps/settle-leased"
import { waitAtMost } from "./wait-at-most"

/** Of the schedule, and of notifications: with more, a process would wait for the connections to the database that settling holds. */
export const SETTLES_AT_ONCE = 5
/** As long as a settle's lease: after that another run may have the row, and this one is not waited for. */
const SETTLE_MS = 2 * 60_000

/** Settles a row that is due. Whatever goes wrong is written into the log: the row stays due, and the next tick tries again. */
export async function trySettle(
  container: MedusaContainer,
  id: string,
  trigger: SettleTrigger
): Promise<void> {
  try {
    const settled = settlePaymentRequestWorkflow(container).run({ input: { id, trigger } })
    await waitAtMost(SETTLE_MS, settled)
  } catch (error) {
    container
      .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      .error(
        `crypto payment ${id}: settling (${trigger}) failed (${describeError(error)}), it is tried again`
      )
  }
}
