import type { MedusaContainer } from "@medusajs/framework/types"
import { Line } from "./line"
import { SETTLES_AT_ONCE, trySettle } from "./try-settle"

const LONGEST_LINE = 1000

const line = new Line<MedusaContainer>(
  { atOnce: SETTLES_AT_ONCE, longest: LONGEST_LINE },
  async (id, container) => {
    await trySettle(container, id, "notification")
  }
)

/**
 * Settles a row that a notification has made due, at once or when its turn comes. Nothing depends on this process: what it
 * leaves out, breaks or dies over is due in the database, and the next tick settles it.
 */
export function settleInTurn(container: MedusaContainer, id: string): void {
  line.add(id, container)
}
