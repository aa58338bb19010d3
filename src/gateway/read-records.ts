import { TEXT_LIMITS, readText } from "./display-fields"
import { toPaymentRequest } from "./mapping"
import { PAYMENT_REQUEST_ID_PATTERN, paymentRequestSchema } from "./schemas"
import type { ListedPage, UnreadableRecord } from "./types"

/** Reads the records of a list one by one, so that a broken one costs only itself. */
export function readRecords(records: readonly unknown[]): Pick<ListedPage, "paymentRequests" | "unreadable"> {
  const read: ReturnType<typeof readRecords> = { paymentRequests: [], unreadable: [] }
  for (const record of records) {
    const parsed = paymentRequestSchema.safeParse(record)
    if (parsed.success) {
      read.paymentRequests.push(toPaymentRequest(parsed.data))
    } else {
      const fields = parsed.error.issues.map(({ path: [name] }) => String(name ?? "record"))
      read.unreadable.push({ ...readReference(record), fields: [...new Set(fields)] })
    }
  }
  return read
}

/** What a broken record can still be matched by. */
function readReference(record: unknown): Pick<UnreadableRecord, "paymentRequestId" | "note"> {
  if (typeof record !== "object" || record === null || Array.isArray(record)) {
    return { paymentRequestId: null, note: null }
  }
  const { payment_request_id: id, note } = record as Record<string, unknown>
  return {
    paymentRequestId: typeof id === "string" && PAYMENT_REQUEST_ID_PATTERN.test(id) ? id : null,
    note: readText(note, TEXT_LIMITS.note).value,
  }
}
