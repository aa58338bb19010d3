import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { describeError } from "../modules/crypto-payments/errors"
import { Line } from "./line"
import { settlePaymentRequestWorkflow } from "./settle-payment-request"
import { SETTLE_MS, waitAtMost } from "./wait-at-most"

/** As many as the schedule: with more, notifications would wait for the connections to the database that settling holds. */
const SETTLES_AT_ONCE = 5
const LONGEST_LINE = 1000

const line = new Line<MedusaContainer>({ atOnce: SETTLES_AT_ONCE, longest: LONGEST_LINE }, settle)

/**
 * Settles a row that a notification has made due, at once or when its turn comes. Nothing depends on this process: what it
 * leaves out, breaks or dies over is due in the database, and the next tick settles it.
 */
export function settleInTurn(container: MedusaContainer, id: string): void {
  line.add(id, container)
}

async function settle(id: string, container: MedusaContainer): Promise<void> {
  try {
    const settled = settlePaymentRequestWorkflow(container).run({ input: { id, trigger: "notification" } })
    await waitAtMost(SETTLE_MS, settled)
  } catch (error) {
    container
      .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      .error(
        `crypto payment ${id}: settling after a notification failed (${describeError(error)}), it is tried again`
      )
  }
}
