import * as http from "node:http"
import * as https from "node:https"
import { finished } from "node:stream/promises"
import type { Delivery, DeliveryAttempt, SandboxState } from "./state"

type Outgoing = Pick<Delivery, "payment_request_id" | "status" | "reason" | "body"> & {
  [Field in "url" | "method" | "content_type"]?: string | undefined
}

export function recordDelivery(
  state: SandboxState,
  { url = state.webhookUrl, method = "POST", content_type = "application/json", ...outgoing }: Outgoing
): Delivery {
  const delivery: Delivery = {
    id: state.deliveries.length + 1,
    ...outgoing,
    url: url ?? null,
    method,
    content_type,
    state: url === undefined ? "no_webhook_url" : "scheduled",
    attempts: [],
  }
  state.deliveries.push(delivery)
  return delivery
}

/** Sends until the receiver answers 2xx or the tries are used up; never throws. */
export async function deliver(state: SandboxState, delivery: Delivery, tries: number): Promise<void> {
  const stop = state.stop.signal
  const { notificationBackoffMs, notificationTimeoutMs } = state.settings
  for (let failed = 0; failed < tries && delivery.url !== null; failed++) {
    if (failed > 0) {
      await state.sleep(notificationBackoffMs * 2 ** (failed - 1))
    }
    if (stop.aborted) {
      return
    }
    const attempt = await send(delivery, delivery.url, notificationTimeoutMs, stop)
    delivery.attempts.push(attempt)
    const answered = attempt.http_status ?? attempt.error ?? "nothing"
    state.log(`notification ${delivery.status} (${delivery.reason}) → ${delivery.url}: ${answered}`)
    if (attempt.http_status !== null && attempt.http_status >= 200 && attempt.http_status < 300) {
      delivery.state = "delivered"
      return
    }
  }
  delivery.state = delivery.url === null ? "no_webhook_url" : "failed"
}

async function send(
  delivery: Delivery,
  url: string,
  timeoutMs: number,
  stop: AbortSignal
): Promise<DeliveryAttempt> {
  const at = new Date().toISOString()
  let late: Error | undefined
  try {
    // agent: false closes the connection after each delivery, so that the receiver can shut down at any time.
    const request = (url.startsWith("https:") ? https : http).request(url, {
      method: delivery.method,
      headers: {
        "content-type": delivery.content_type,
        "content-length": Buffer.byteLength(delivery.body),
        "user-agent": "medusa-payment-crypto-sandbox",
      },
      agent: false,
      signal: stop,
    })
    const timer = setTimeout(() => {
      late = new Error(`timed out after ${timeoutMs} ms`)
      request.destroy(late)
    }, timeoutMs)
    timer.unref()
    request.on("close", () => {
      clearTimeout(timer)
    })
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      request.on("response", resolve).on("error", reject).end(delivery.body)
    })
    await finished(response.resume())
    return { at, http_status: response.statusCode ?? null, error: null }
  } catch (thrown) {
    const error: unknown = late ?? thrown
    return { at, http_status: null, error: error instanceof Error ? error.message : String(error) }
  }
}
