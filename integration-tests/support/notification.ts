import { createHmac } from "node:crypto"
import { SECRET_KEY } from "./store-under-test"

export type NotificationData = Record<string, string | null>

/** The data of a notification about one payment request, as the gateway interface lists its fields. */
export const notificationData = (
  paymentRequestId: string,
  changes: NotificationData = {}
): NotificationData => ({
  payment_request_id: paymentRequestId,
  payment_amount: "20.01000000000000",
  payment_currency: "USD",
  receiving_amount: null,
  paid_cryptocurrency: null,
  fee_amount: null,
  fee_paid_by: null,
  payer_email_address: "guest@example.test",
  payer_first_name: "Aisha",
  payer_last_name: "Rahman",
  ref_id: null,
  merchant_id: "m-1",
  merchant_name: "Shop",
  status: "UNPAID",
  paid_at: null,
  note: null,
  ...changes,
})

/** Written anew from the interface document, so that neither src nor the sandbox vouches for itself. */
export function sign(data: NotificationData, secretKey = SECRET_KEY): string {
  const values = Object.keys(data)
    .sort()
    .map((name) => data[name] ?? "")
  return createHmac("sha256", secretKey).update(values.join("")).digest("hex")
}

export const signedBody = (data: NotificationData, secretKey = SECRET_KEY): string =>
  JSON.stringify({ data, approval_hash: sign(data, secretKey) })
