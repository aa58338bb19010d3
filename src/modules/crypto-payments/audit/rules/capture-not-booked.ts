import type { AuditRule } from "../audit-rule"
import { BOOKED_OTHERWISE } from "../audit-sql"

/** An order that lacks the transaction looks unpaid to everybody. */
export const captureNotBooked: AuditRule = {
  name: "capture_not_booked",
  invariant: "I4",
  message: "The payment is captured, and its order does not have it in its transactions.",
  sql: BOOKED_OTHERWISE("<"),
}
