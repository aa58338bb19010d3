import type { Endpoint } from "./fault"
import { decodeSegment, parseJsonObject, Refused } from "./http"
import { formatDecimal } from "./decimal"
import { listPage } from "./list-page"
import { createPayment } from "./payment-actions"
import { toAnsweredRecord, toRecord } from "./payment"
import type { SandboxState } from "./state"
import { validateCreate } from "./validate-create"

export interface ApiRequest {
  method: string
  endpoint: Endpoint
  /** The id or symbol at the end of the path. */
  last: string | undefined
  query: URLSearchParams
  body: string
}

export interface ApiReply {
  status: number
  body: Record<string, unknown>
}

/** Which of the interface's two flag names the endpoint answers with. */
export const flagName = (endpoint: Endpoint): "successful" | "is_successful" =>
  endpoint === "read" || endpoint === "list" ? "successful" : "is_successful"

export const failure = (endpoint: Endpoint, status: number, message: string): ApiReply => ({
  status,
  body: { data: null, message, [flagName(endpoint)]: false },
})

// Any prefix that ends in the version segment is accepted: both /v1 and /api/v1 are in use.
const API_PATH = /^(?:\/[^/]+)*?\/v1\/api\/(payments|balances)(?:\/([^/]+))?$/

export function findEndpoint(
  method: string,
  path: string
): Pick<ApiRequest, "endpoint" | "last"> | undefined {
  const match = API_PATH.exec(path)
  if (!match) {
    return undefined
  }
  const last = match[2] === undefined ? undefined : (decodeSegment(match[2]) ?? match[2])
  if (match[1] === "balances") {
    return { endpoint: "balances", last }
  }
  return { endpoint: last !== undefined ? "read" : method === "POST" ? "create" : "list", last }
}

/** The five endpoints. The interface shows no errors: 4xx with the same envelope is the sandbox's choice. */
export function serveApi(state: SandboxState, request: ApiRequest): ApiReply {
  const { endpoint, method } = request
  if (method !== (endpoint === "create" ? "POST" : "GET")) {
    return failure(endpoint, 405, `${method} is not offered here`)
  }
  try {
    const answer = ANSWERS[endpoint](state, request)
    return {
      status: 200,
      body: { ...answer, message: "Operation was successful", [flagName(endpoint)]: true },
    }
  } catch (error) {
    if (error instanceof Refused) {
      return failure(endpoint, error.status, error.message)
    }
    throw error
  }
}

const ANSWERS: Record<Endpoint, (state: SandboxState, request: ApiRequest) => Record<string, unknown>> = {
  create: (state, { body }) => {
    const payment = createPayment(state, validateCreate(parseJsonObject(body)))
    return { data: toRecord(payment, "PENDING", null) }
  },
  list: (state, { query }) => {
    const { entries, pagination } = listPage(state, query)
    return {
      data: entries.map((entry) => ("payment" in entry ? toAnsweredRecord(entry.payment) : entry.raw)),
      pagination,
    }
  },
  read: (state, { last = "" }) => {
    const payment = state.payments.get(last)
    if (!payment) {
      throw new Refused(404, "Payment request not found")
    }
    const data = toAnsweredRecord(payment)
    if (payment.paid && payment.hiddenReads > 0) {
      payment.hiddenReads -= 1
    }
    return { data, pagination: { total_count: 1, page_count: 1, page_size: 1 } }
  },
  balances: ({ balances }, { last }) => {
    if (last === undefined) {
      return { data: [...balances].map(([symbol, value]) => asset(symbol, value)) }
    }
    const value = balances.get(last)
    if (value === undefined) {
      throw new Refused(404, `No balance in ${last}`)
    }
    return { data: asset(last, value) }
  },
}

const asset = (symbol: string, value: bigint) => ({
  asset: symbol,
  value: formatDecimal(value),
  locked: formatDecimal(0n),
})
