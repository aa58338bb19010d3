import type { IncomingMessage, ServerResponse } from "node:http"
import { parseDecimal } from "./decimal"
import { defaultApplied, ENDPOINTS, FAULT_KINDS } from "./fault"
import { Fields } from "./fields"
import { decodeSegment, isHttpUrl, parseJsonObject, readBody, Refused, sendJson } from "./http"
import { LIST_BEHAVIOURS, type SandboxSettings } from "./options"
import { toControlRecord } from "./payment"
import { PAYMENT_VERBS } from "./control-payments"
import type { SandboxState } from "./state"

/** Everything under `/control`. JSON in, JSON out; errors are `{message}`. */
export async function answerControl(
  state: SandboxState,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL
): Promise<void> {
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
  const [thing, id, verb] = segments
  if (thing === "payments" && id !== undefined) {
    return answerPayment(state, method, decodeSegment(id) ?? id, verb, fields)
  }
  if (id !== undefined) {
    throw new Refused(404, "no such control; see docs/sandbox.md")
  }
  switch (`${method} ${thing ?? ""}`) {
    case "GET payments":
      return [...state.payments.values()].map(toControlRecord)
    case "GET notifications":
      return state.deliveries
    case "GET calls":
      return state.calls
    case "DELETE calls":
      state.calls = []
      return { done: true }
    case "POST list":
      return putInList(state, fields)
    case "DELETE list":
      state.rawRecords = []
      return { done: true }
    case "GET faults":
      return state.faults.toJson()
    case "POST faults":
      return addFault(state, fields)
    case "DELETE faults":
      state.faults.clear()
      state.held.release()
      return { done: true }
    case "GET held":
      return state.held.paths
    case "POST release":
      return release(state, fields)
    case "GET settings":
      return state.settings
    case "POST settings":
      return changeSettings(state, fields)
    case "POST webhook":
      return changeWebhook(state, fields)
    case "POST reset":
      fields.end()
      state.reset()
      return { done: true }
    default:
      throw new Refused(404, "no such control; see docs/sandbox.md")
  }
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
