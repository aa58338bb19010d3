import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { answerApi } from "./answer-api"
import { answerControl } from "./control-api"
import { isHttpUrl, Refused, sendJson } from "./http"
import { refuseOtherSites } from "./other-sites"
import type { Sandbox, SandboxOptions } from "./options"
import { answerPage } from "./page/answer-page"
import { type Exchange, SandboxState } from "./state"

const DEFAULT_PORT = 4010

/**
 * Starts a gateway emulator: the five endpoints, the hosted payment page and the control API on one port.
 *
 * @throws when an option is missing or malformed, or the port is taken (`code: "EADDRINUSE"`)
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  checkOptions(options)
  const state = new SandboxState(options)
  const server = createServer((request, response) => {
    void answer({ state, request, response })
  })
  // Longer than any client's pool keeps a connection: otherwise a call could meet a socket that is closing.
  server.keepAliveTimeout = 65_000
  const host = options.host ?? "127.0.0.1"
  await once(server.listen(options.port ?? DEFAULT_PORT, host), "listening")
  const { port } = server.address() as AddressInfo
  state.url = options.publicUrl?.replace(/\/+$/, "") ?? `http://${reachable(host)}:${port}`
  return {
    url: state.url,
    baseUrl: `${state.url}/v1`,
    port,
    setWebhookUrl: (url) => {
      state.setStartingWebhookUrl(url)
    },
    close: async () => {
      state.drop()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function checkOptions(options: SandboxOptions): void {
  if (typeof options.secretKey !== "string" || options.secretKey === "") {
    throw new Error("secretKey is required: the key of the approval hash")
  }
  for (const name of ["webhookUrl", "publicUrl"] as const) {
    const url = options[name]
    if (url !== undefined && !isHttpUrl(url)) {
      throw new Error(`${name} must be an http or https address`)
    }
  }
}

function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") {
    return "127.0.0.1"
  }
  return host.includes(":") ? `[${host}]` : host
}

async function answer(asked: Omit<Exchange, "url">): Promise<void> {
  const { state, request, response } = asked
  try {
    const exchange = { ...asked, url: new URL(`http://sandbox${request.url ?? "/"}`) }
    const { pathname } = exchange.url
    if (/\/v1\/api\//.test(pathname)) {
      await answerApi(exchange)
      return
    }
    refuseOtherSites(state, request)
    await (pathname.startsWith("/control/") ? answerControl : answerPage)(exchange)
  } catch (error) {
    if (response.destroyed) {
      return
    }
    const status = error instanceof Refused ? error.status : 500
    const message = error instanceof Error ? error.message : "sandbox failed"
    state.log(`${request.method ?? ""} ${request.url ?? ""} → ${status} ${message}`)
    sendJson(response, status, { message })
  }
}
