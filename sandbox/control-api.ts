import { parseDecimal } from "./decimal"
import { defaultApplied, ENDPOINTS, FAULT_KINDS } from "./fault"
import { Fields } from "./fields"
import { decodeSegment, isHttpUrl, parseJsonObject, readBody, Refused, sendJson } from "./http"
import type { ListBehaviour, SandboxSettings } from "./options"
import { toControlRecord } from "./payment"
import { PAYMENT_VERBS } from "./control-payments"
import type { Exchange, SandboxState } from "./state"

const LIST_BEHAVIOURS: readonly ListBehaviour[] = ["normal", "ignore_page", "repeat_pages", "shuffle"]

/** Everything under `/control`. JSON in, JSON out; errors are `{message}`. */
export async function answerControl({ state, request, response, url }: Exchange): Promise<void> {
  try {
    const fields = new Fields(parseJsonObject(await readBody(request)))
    const [, , ...segments] = url.pathname.split("/")
    sendJson(response, 200, await answer(state, request.method ?? "GET", segments, fields))
  } catch (error) {
    if (!(error instanceof Refused)) {
      throw error
    }
    sendJson(response, error.status, { message: error.message })
  }
}

function answer(state: SandboxState, method: string, segments: string[], fields: Fields): unknown {
  const [thing = "", id, verb] = segments
  if (thing === "payments" && id !== undefined) {
    return answerPayment(state, method, decodeSegment(id) ?? id, verb, fields)
  }
  const control = id === undefined ? CONTROLS[`${method} ${thing}`] : undefined
  if (control === undefined) {
    throw new Refused(404, "no such control; see docs/sandbox.md")
  }
  return control(state, fields) ?? { done: true }
}

const CONTROLS: Record<string, (state: SandboxState, fields: Fields) => unknown> = {
  "GET payments": ({ payments }) => [...payments.values()].map(toControlRecord),
  "GET notifications": ({ deliveries }) => deliveries,
  "GET calls": ({ calls }) => calls,
  "DELETE calls": (state) => {
    state.calls = []
  },
  "POST list": putInList,
  "DELETE list": (state) => {
    state.rawRecords = []
  },
  "GET faults": ({ faults }) => faults.toJson(),
  "POST faults": addFault,
  "DELETE faults": ({ faults, held }) => {
    faults.clear()
    held.release()
  },
  "GET held": ({ held }) => held.paths,
  "POST release": release,
  "GET settings": ({ settings }) => settings,
  "POST settings": changeSettings,
  "POST webhook": changeWebhook,
  "POST reset": (state, fields) => {
    fields.end()
    state.reset()
  },
}

function answerPayment(
  state: SandboxState,
  method: string,
  id: string,
  verb: string | undefined,
  fields: Fields
): unknown {
  const payment = state.payments.get(id)
  if (!payment) {
    throw new Refused(404, `no payment request ${id}`)
  }
  if (verb === undefined && method === "GET") {
    return toControlRecord(payment)
  }
  const act = Object.hasOwn(PAYMENT_VERBS, verb ?? "") ? PAYMENT_VERBS[verb ?? ""] : undefined
  if (!act || method !== "POST") {
    throw new Refused(404, `POST one of: ${Object.keys(PAYMENT_VERBS).join(", ")}`)
  }
  return act(state, payment, fields)
}

function putInList(state: SandboxState, fields: Fields): unknown {
  const record = fields.required("record", fields.anything("record"))
  fields.end()
  state.rawRecords.push(record)
  return state.rawRecords
}

function addFault(state: SandboxState, fields: Fields): unknown {
  const endpoint = fields.required("endpoint", fields.oneOf("endpoint", [...ENDPOINTS, "any"] as const))
  const kind = fields.required("kind", fields.oneOf("kind", FAULT_KINDS))
  const fault = {
    endpoint,
    kind,
    status: fields.count("status"),
    retryAfter: fields.stringOrNumber("retryAfter"),
    delayMs: fields.count("delayMs"),
    timesLeft: fields.count("times") ?? Infinity,
    paymentRequestId: fields.string("payment_request_id"),
    applied: fields.oneOf("applied", ["before", "after"] as const) ?? defaultApplied(kind),
    location: fields.string("location"),
    bytes: fields.count("bytes"),
  }
  fields.end()
  if (fault.status !== undefined && (fault.status < 200 || fault.status > 599)) {
    throw new Refused(400, "status must be from 200 to 599")
  }
  if (fault.timesLeft === 0) {
    throw new Refused(400, "times must be at least 1")
  }
  state.faults.add(fault)
  return state.faults.toJson()
}

/** With `count`, answers the oldest calls and keeps holding later ones; without, nothing is held any more. */
function release(state: SandboxState, fields: Fields): unknown {
  const count = fields.count("count")
  fields.end()
  if (count === undefined) {
    state.faults.clearHolds()
  }
  return { released: state.held.release(count) }
}

function changeSettings(state: SandboxState, fields: Fields): SandboxSettings {
  const now = state.settings
  const changed: SandboxSettings = {
    feePaidBy: fields.oneOf("feePaidBy", ["BUYER", "MERCHANT"] as const) ?? now.feePaidBy,
    feePercent: fields.stringOrNumber("feePercent") ?? now.feePercent,
    notificationDelayMs: fields.count("notificationDelayMs") ?? now.notificationDelayMs,
    notificationAttempts: fields.count("notificationAttempts") ?? now.notificationAttempts,
    notificationBackoffMs: fields.count("notificationBackoffMs") ?? now.notificationBackoffMs,
    notificationTimeoutMs: fields.count("notificationTimeoutMs") ?? now.notificationTimeoutMs,
    latePaymentMs: fields.count("latePaymentMs") ?? now.latePaymentMs,
    listBehaviour: fields.oneOf("listBehaviour", LIST_BEHAVIOURS) ?? now.listBehaviour,
    listPageSize: fields.count("listPageSize") ?? now.listPageSize,
  }
  fields.end()
  if (parseDecimal(changed.feePercent) === undefined) {
    throw new Refused(400, "feePercent must be a plain decimal")
  }
  if (changed.listPageSize === 0 || changed.notificationAttempts === 0) {
    throw new Refused(400, "listPageSize and notificationAttempts must be at least 1")
  }
  state.settings = changed
  return changed
}

function changeWebhook(state: SandboxState, fields: Fields): unknown {
  const url = fields.string("url")
  fields.end()
  if (url !== undefined && url !== "" && !isHttpUrl(url)) {
    throw new Refused(400, "url must be an http or https address, or empty to stop sending")
  }
  state.webhookUrl = url === "" ? undefined : url
  return { url: state.webhookUrl ?? null }
}
