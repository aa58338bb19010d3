import type { AuditRule } from "../audit-rule"
import { BOOKED_OTHERWISE } from "../audit-sql"

/** Redis can lose the cart's lock, and then two processes book one capture. */
export const captureBookedTwice: AuditRule = {
  name: "capture_booked_twice",
  invariant: "I5",
  message: "The order has more in its transactions than was captured.",
  sql: BOOKED_OTHERWISE(">"),
}
