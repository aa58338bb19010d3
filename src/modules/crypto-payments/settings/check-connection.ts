import { GatewayError } from "../../../gateway"
import { openClient, whyUnusable } from "../gateway-clients"
import { describeGatewayProblem, type Problem } from "../gateway-problem"
import { describeProblem, type EffectiveSettings, type ProviderSettings } from "./effective-settings"

/** A test of the connection does not need these. */
const NOT_NEEDED = ["success_url", "failed_url", "secret_key"]

/** Reads the balances. @throws MedusaError 400 `paused` */
export async function checkConnection(settings: EffectiveSettings) {
  const startedAt = performance.now()
  const found = (problem: Problem | null, message: string, balances_count: number | null = null) => {
    const duration_ms = Math.round(performance.now() - startedAt)
    return { ok: problem === null, problem, message, balances_count, duration_ms }
  }
  const missing = settings.missing.filter((name) => !NOT_NEEDED.includes(name))
  if (missing.length > 0) {
    const message = `Still missing: ${missing.join(", ")}. ${describeProblem(settings.problem) ?? ""}`.trim()
    return found("not_configured", message)
  }
  // All that a client needs is there.
  const usable = settings as ProviderSettings
  const why = whyUnusable(usable)
  if (why !== undefined) {
    return found("not_configured", why)
  }
  try {
    const { length } = await openClient(usable).listBalances()
    const message = `The gateway answers: ${String(length)} ${length === 1 ? "balance" : "balances"} read.`
    return found(null, message, length)
  } catch (error) {
    if (!(error instanceof GatewayError)) {
      throw error
    }
    const { problem, message } = describeGatewayProblem(error)
    return found(problem, message)
  }
}
