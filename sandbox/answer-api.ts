import type { IncomingMessage } from "node:http"
import { checkAuth } from "./check-auth"
import { failure, findEndpoint, serveApi } from "./gateway-api"
import { readBody, sendJson } from "./http"
import type { ApiCall, Exchange } from "./state"
import { strikeFault } from "./strike-fault"

/** Answers one gateway API call over HTTP: records it, checks its authentication, applies a fault. */
export async function answerApi({ state, request, response, url }: Exchange): Promise<void> {
  const method = request.method ?? "GET"
  const found = findEndpoint(method, url.pathname)
  const call: ApiCall = {
    at: Date.now(),
    method,
    path: url.pathname,
    query: url.search,
    endpoint: found?.endpoint ?? null,
    payment_request_id: found?.endpoint === "read" ? (found.last ?? null) : null,
    headers: plainHeaders(request),
    body: "",
    status: null,
    fault: null,
  }
  state.rememberCall(call)
  call.body = await readBody(request)
  const answered = (status: number) => {
    call.status = status
    state.log(
      `${method} ${url.pathname}${url.search} → ${status}${call.fault ? ` (fault: ${call.fault})` : ""}`
    )
  }
  const reply = (answer: ReturnType<typeof serveApi>) => {
    answered(answer.status)
    sendJson(response, answer.status, answer.body)
  }
  if (!found) {
    reply(failure("create", 404, "Not found"))
    return
  }
  const { endpoint, last } = found
  const refusal =
    state.auth &&
    checkAuth(state.auth, { method, path: url.pathname, headers: call.headers }, state.secretKey, call.at)
  if (refusal !== undefined) {
    reply(failure(endpoint, 401, refusal))
    return
  }
  const serve = () => serveApi(state, { method, endpoint, last, query: url.searchParams, body: call.body })
  const fault = state.faults.take(endpoint, call.payment_request_id ?? undefined)
  if (!fault) {
    reply(serve())
    return
  }
  call.fault = fault.kind
  if (fault.kind === "timeout" || fault.kind === "reset") {
    state.log(`${method} ${url.pathname} → no answer (fault: ${fault.kind})`)
  }
  await strikeFault(state, { endpoint, fault, path: url.pathname, response, serve, answered })
}

const plainHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value = ""]) => [name, [value].flat().join(", ")]))
