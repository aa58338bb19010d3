import { formatDecimal, parseDecimal } from "./decimal"
import { deliver, recordDelivery } from "./delivery"
import type { Fields } from "./fields"
import { isHttpUrl, Refused } from "./http"
import { notificationBody, notificationData, TAMPERS, type NotificationData } from "./notification"
import { toAnsweredRecord, toControlRecord, type Payment } from "./payment"
import { markDeclined, markPaid, markPartlyPaid, notify } from "./payment-actions"
import type { Delivery, SandboxState } from "./state"

/** The verbs under `/control/payments/:id/`. Each returns what is answered, or a promise of it. */
export const PAYMENT_VERBS: Record<
  string,
  (state: SandboxState, payment: Payment, fields: Fields) => unknown
> = { pay, part, decline, pending, status, reveal, record, notify: notifyByHand }

async function pay(state: SandboxState, payment: Payment, fields: Fields): Promise<unknown> {
  const coin = fields.string("coin")
  const wanted = fields.boolean("notify") ?? true
  const times = fields.count("notifications") ?? 1
  const visible = fields.boolean("visible") ?? true
  const visibleAfterReads = fields.count("visibleAfterReads")
  const amount = fields.stringOrNumber("amount")
  const currencySymbol = fields.string("currencySymbol")
  const wait = fields.boolean("wait") ?? false
  fields.end()
  markPaid(state, payment, {
    coin,
    hiddenReads: visibleAfterReads ?? (visible ? 0 : Infinity),
    amount: amount === undefined ? undefined : amountOf(amount),
    currencySymbol,
  })
  return await notifyAndShow(state, payment, Array<string>(wanted ? times : 0).fill("PAID"), wait, "pay")
}

function part(state: SandboxState, payment: Payment, fields: Fields): unknown {
  fields.end()
  markPartlyPaid(state, payment)
  return toControlRecord(payment)
}

async function decline(state: SandboxState, payment: Payment, fields: Fields): Promise<unknown> {
  const wanted = fields.boolean("notify") ?? true
  const wait = fields.boolean("wait") ?? false
  fields.end()
  markDeclined(payment)
  return await notifyAndShow(state, payment, wanted ? ["UNPAID"] : [], wait, "decline")
}

function pending(_state: SandboxState, payment: Payment, fields: Fields): unknown {
  fields.end()
  payment.status = "PENDING"
  return toControlRecord(payment)
}

function status(state: SandboxState, payment: Payment, fields: Fields): unknown {
  const word = fields.required("status", fields.string("status"))
  fields.end()
  if (word === "PAID" && !payment.paid) {
    markPaid(state, payment)
  }
  payment.status = word
  return toControlRecord(payment)
}

function reveal(_state: SandboxState, payment: Payment, fields: Fields): unknown {
  fields.end()
  payment.hiddenReads = 0
  return toControlRecord(payment)
}

/** Changes the record that reads and lists show. Each call replaces the one before; an empty body ends it. */
function record(_state: SandboxState, payment: Payment, fields: Fields): unknown {
  const bent = fields.object("fields")
  const without = fields.strings("without")
  fields.end()
  payment.bent = bent || without ? { fields: bent ?? {}, without: without ?? [] } : null
  return toAnsweredRecord(payment)
}

async function notifyAndShow(
  state: SandboxState,
  payment: Payment,
  statuses: readonly string[],
  wait: boolean,
  reason: string
): Promise<unknown> {
  const sent = statuses.length > 0 ? notify(state, payment, statuses, reason) : []
  return wait ? { ...toControlRecord(payment), deliveries: await sent } : toControlRecord(payment)
}

/** Sends now, one try each, and answers with the receiver's answers. */
async function notifyByHand(state: SandboxState, payment: Payment, fields: Fields): Promise<unknown> {
  const tamper = fields.oneOf("tamper", TAMPERS) ?? "none"
  const word =
    fields.string("status") ?? (tamper === "boundary" ? "UNPAID" : toControlRecord(payment).payment_status)
  const times = fields.count("times") ?? 1
  const secretKey = fields.string("secretKey") ?? state.secretKey
  const overrides = fields.object("data") ?? {}
  const data = { ...notificationData(payment, word, state), ...overrides } as NotificationData
  const body = fields.string("body") ?? notificationBody(data, secretKey, tamper)
  const content_type = fields.string("contentType")
  const method = fields.oneOf("method", ["POST", "PUT"] as const)
  const url = fields.string("url")
  const parallel = fields.boolean("parallel") ?? false
  fields.end()
  if (tamper === "boundary" && word !== "UNPAID") {
    throw new Refused(400, "tamper boundary rewrites a genuine UNPAID body; leave status out")
  }
  if (url !== undefined && !isHttpUrl(url)) {
    throw new Refused(400, "url must be an http or https address")
  }
  const reason = tamper === "none" ? "control" : `forged: ${tamper}`
  const says = tamper === "boundary" ? "PAID" : word
  const outgoing = { payment_request_id: payment.id, status: says, reason, body, content_type, method, url }
  const deliveries = Array.from({ length: times }, () => recordDelivery(state, outgoing))
  await sendAll(state, deliveries, parallel)
  return { statuses: deliveries.map((each) => each.attempts[0]?.http_status ?? null), deliveries }
}

async function sendAll(state: SandboxState, deliveries: Delivery[], parallel: boolean): Promise<void> {
  if (parallel) {
    await Promise.all(deliveries.map((each) => deliver(state, each, 1)))
    return
  }
  for (const each of deliveries) {
    await deliver(state, each, 1)
  }
}

function amountOf(text: string): string {
  const amount = parseDecimal(text)
  if (amount === undefined) {
    throw new Refused(400, "amount must be a plain decimal")
  }
  return formatDecimal(amount)
}
