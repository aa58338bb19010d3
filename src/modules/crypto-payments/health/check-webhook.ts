import { randomBytes } from "node:crypto"
import { approvalHash, Connections, toUnavailableReason, USER_AGENT } from "../../../gateway"
import type { ProviderStatusStore } from "./provider-status"
import type { EffectiveSettings } from "../settings/effective-settings"
import { webhookOf } from "../settings/settings-view"

/** How the self-test names its payment request: the one-time nonce is the name. */
export const SELF_TEST_ID = /^selftest-[0-9a-f]{64}$/
const TIMEOUT_MS = 10_000

const MESSAGES = {
  none: "The test notification arrived and its approval hash was verified.",
  not_configured: "Finish the settings first.",
  no_public_url:
    "Give publicUrl in medusa-config, and the store can test this address. Until then, append the path to the store's public address and set that as the webhook URL at the gateway.",
  unreachable: "The address cannot be reached from here. Check publicUrl, DNS, and that the store is up.",
  timeout:
    "Nothing answered at the address in time. Check firewalls and proxies between the internet and the store.",
  tls: "The address has no valid certificate. The gateway will not send notifications there either.",
  redirect: "The address redirects. Give the address it leads to as publicUrl, and to the gateway.",
  no_route:
    "Something answers at the address, but it is not this plugin. Does the proxy pass /hooks on to the store?",
  wrong_secret: "A store answers there with another secret key. Is publicUrl the address of this store?",
  not_this_store:
    "The test was taken, but did not arrive at this store. Is publicUrl the address of this store?",
  refused: "The address answered with an error. Look at the store's log and at the proxy in front of it.",
}

type Problem = Exclude<keyof typeof MESSAGES, "none">

/** Sends a signed notification with a one-time nonce to the store's public address, which only medusa-config sets. */
export async function checkWebhook(settings: EffectiveSettings, statuses: ProviderStatusStore) {
  const { path, url } = webhookOf(settings.providerId, settings.public_url)
  const startedAt = performance.now()
  const found = (problem: Problem | null, http_status: number | null = null) => ({
    ok: problem === null,
    problem,
    message: MESSAGES[problem ?? "none"],
    url,
    path,
    http_status,
    duration_ms: Math.round(performance.now() - startedAt),
  })
  if (url === null) {
    return found("no_public_url")
  }
  if (!settings.isConfigured) {
    return found("not_configured")
  }
  const nonce = `selftest-${randomBytes(32).toString("hex")}`
  const data = { payment_request_id: nonce, status: "UNPAID", note: null }
  const body = JSON.stringify({ data, approval_hash: approvalHash(data, settings.secret_keys[0]) })
  try {
    const { origin, pathname } = new URL(url)
    const { statusCode: status, body: unread } = await new Connections().of("shop").request({
      origin,
      path: pathname,
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": USER_AGENT },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await unread.dump()
    const isHere = await statuses.hasSelfTest(settings.providerId, nonce)
    return found(isHere ? null : classifyStatus(status), status)
  } catch (error) {
    const reason = toUnavailableReason(error)
    return found(reason === "timeout" ? reason : /^(certificate|tls)_/.test(reason) ? "tls" : "unreachable")
  }
}

function classifyStatus(status: number): Problem {
  if (status >= 200 && status < 400) {
    return status < 300 ? "not_this_store" : "redirect"
  }
  if (status === 401) {
    return "wrong_secret"
  }
  return status === 404 || status === 405 ? "no_route" : "refused"
}
