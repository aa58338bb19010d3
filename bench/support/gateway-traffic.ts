import { subscribe, unsubscribe } from "node:diagnostics_channel"

interface Request {
  origin: string | URL
  path: string
}

export interface GatewayTraffic {
  calls: number
  mostInFlight: number
  /** From the moment the client hands the request over to the last byte of the answer, all calls together. */
  answerMs: number
}

/**
 * What undici, whose client the plugin uses, says of the calls to the gateway while `work` runs. The store's process
 * and not the sandbox counts, because only there is a call seen from its beginning to its end.
 */
export async function trafficDuring(baseUrl: string, work: () => Promise<void>): Promise<GatewayTraffic> {
  const { origin, pathname } = new URL(baseUrl)
  const begun = new Map<Request, number>()
  const traffic: GatewayTraffic = { calls: 0, mostInFlight: 0, answerMs: 0 }
  const begin = (message: unknown): void => {
    const { request } = message as { request: Request }
    if (String(request.origin) === origin && request.path.startsWith(pathname)) {
      begun.set(request, performance.now())
      traffic.calls++
      traffic.mostInFlight = Math.max(traffic.mostInFlight, begun.size)
    }
  }
  const end = (message: unknown): void => {
    const { request } = message as { request: Request }
    const at = begun.get(request)
    if (at !== undefined) {
      traffic.answerMs += performance.now() - at
      begun.delete(request)
    }
  }
  subscribe("undici:request:create", begin)
  subscribe("undici:request:trailers", end)
  subscribe("undici:request:error", end)
  try {
    await work()
  } finally {
    unsubscribe("undici:request:create", begin)
    unsubscribe("undici:request:trailers", end)
    unsubscribe("undici:request:error", end)
  }
  return traffic
}
