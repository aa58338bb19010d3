import type { ServerResponse } from "node:http"
import { spoilsRealAnswer, type Endpoint, type Fault } from "./fault"
import { failure, flagName, type ApiReply } from "./gateway-api"
import { send, sendJson } from "./http"
import type { SandboxState } from "./state"

const DEFAULT_SLOW_MS = 2000
const DEFAULT_HUGE_BYTES = 2_000_000

interface Struck {
  endpoint: Endpoint
  fault: Fault
  path: string
  response: ServerResponse
  /** Serves the request for real. */
  serve: () => ApiReply
  /** Told when a status line goes out. */
  answered: (status: number) => void
}

/** Changes one answer as the fault says. */
export async function strikeFault(state: SandboxState, struck: Struck): Promise<void> {
  const { fault, response } = struck
  if (fault.kind === "slow") {
    await answerLater(struck, state.sleep(fault.delayMs ?? DEFAULT_SLOW_MS))
    return
  }
  if (fault.kind === "hold") {
    await hold(state, struck)
    return
  }
  const real = takeEffect(state, struck)
  if (fault.kind === "timeout") {
    if (fault.delayMs !== undefined) {
      state.after(fault.delayMs, () => response.destroy())
    }
    return
  }
  if (fault.kind === "reset") {
    response.socket?.resetAndDestroy()
    return
  }
  const { status, contentType, body, headers } = spoil(state, struck, real)
  struck.answered(status)
  if (fault.kind === "truncated") {
    cutOff(response, status, body)
    return
  }
  const retryAfter = fault.retryAfter === undefined ? {} : { "retry-after": fault.retryAfter }
  send(response, status, contentType, body, { ...retryAfter, ...headers })
}

/** The real answer if the request was served. A create that must not take effect is undone. */
function takeEffect(state: SandboxState, { fault, serve, endpoint }: Struck): ApiReply | undefined {
  if (fault.applied === "after") {
    return serve()
  }
  if (!spoilsRealAnswer(fault.kind)) {
    return undefined
  }
  const real = serve()
  if (endpoint === "create") {
    const created = real.body["data"] as Record<string, unknown> | null
    state.payments.delete(String(created?.["payment_request_id"]))
  }
  return real
}

async function answerLater(struck: Struck, wait: Promise<void>, gone?: AbortSignal): Promise<void> {
  const { fault, serve, response, answered } = struck
  const early = fault.applied === "after" ? serve() : undefined
  await wait
  if (gone?.aborted === true) {
    return
  }
  const reply = early ?? serve()
  answered(reply.status)
  sendJson(response, reply.status, reply.body)
}

async function hold(state: SandboxState, struck: Struck): Promise<void> {
  const gone = new AbortController()
  struck.response.once("close", () => {
    gone.abort()
  })
  await answerLater(struck, state.held.wait(struck.path, gone.signal), gone.signal)
}

interface SpoiltAnswer {
  status: number
  contentType: string
  body: string
  headers?: Record<string, string>
}

function spoil(state: SandboxState, { fault, endpoint }: Struck, real: ApiReply | undefined): SpoiltAnswer {
  const json = (value: unknown, status = real?.status ?? 200): SpoiltAnswer => ({
    status: fault.status ?? status,
    contentType: "application/json; charset=utf-8",
    body: JSON.stringify(value),
  })
  const html = (status: number): SpoiltAnswer => ({
    status: fault.status ?? status,
    contentType: "text/html; charset=utf-8",
    body: "<!doctype html><title>Bad gateway</title><h1>Bad gateway</h1><p>The gateway is being updated.</p>",
  })
  switch (fault.kind) {
    case "html":
      return html(502)
    case "redirect":
      return { ...html(302), headers: { location: fault.location ?? `${state.url}/v1/api/redirected` } }
    case "false_flag":
      return json(failure(endpoint, 200, "The operation failed").body, 200)
    case "missing_flag": {
      const { [flagName(endpoint)]: _dropped, ...rest } = real?.body ?? {}
      return json(rest)
    }
    case "wrong_types":
      return json(wrongTypes(real?.body))
    case "huge":
      return json({ ...real?.body, filler: "x".repeat(fault.bytes ?? DEFAULT_HUGE_BYTES) })
    case "truncated":
      return json(real?.body)
    case "cut_json": {
      const whole = json(real?.body)
      return { ...whole, body: whole.body.slice(0, Math.floor(whole.body.length / 2)) }
    }
    default:
      return json(failure(endpoint, 503, "The gateway is not available").body, 503)
  }
}

/** Strings like numbers become numbers, other strings lists. The flag stays, so only a schema notices. */
function wrongTypes(body: Record<string, unknown> | undefined): unknown {
  const bend = (value: unknown): unknown => {
    if (typeof value === "string") {
      return /^\d+\.\d+$/.test(value) ? Number(value) : [value]
    }
    if (Array.isArray(value)) {
      return value.map(bend)
    }
    return typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, bend(each)]))
      : value
  }
  return { ...body, data: bend(body?.["data"]) }
}

function cutOff(response: ServerResponse, status: number, body: string): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, { "content-type": "application/json", "content-length": bytes.length })
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
    response.destroy()
  })
}
