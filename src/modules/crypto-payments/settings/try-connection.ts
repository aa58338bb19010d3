import { GatewayClient, GatewayError, type GatewayClientOptions } from "../../../gateway"
import type { ConnectionTest } from "../../../http-contract"
import { describeGatewayProblem } from "../gateway-problem"
import { refusal } from "./draft-settings"
import { authInForce, describeProblem, type EffectiveSettings } from "./effective-settings"
import { authNameAt, toFieldName } from "./names"

/** What a test of the connection does without: return addresses, and the key of notifications. */
const NOT_NEEDED = ["success_url", "failed_url", "secret_key"]

/** Refuses what the gateway client itself would refuse, such as a header nobody can send. @throws Refused */
export function refuseMalformed({ settings }: EffectiveSettings): void {
  if (settings === undefined) {
    return
  }
  const { base_url: baseUrl, auth, timeout_ms: timeoutMs, secret_keys } = settings
  const opened = openClient({ baseUrl, auth, timeoutMs, secretKey: secret_keys[0] })
  if (typeof opened !== "string") {
    void opened.close()
    return
  }
  const [first = "", ...rest] = (/^[\w.]+/.exec(opened)?.[0] ?? "").split(".")
  const field = first === "auth" ? authNameAt(rest) : toFieldName(first)
  throw refusal("invalid", opened, [field])
}

/** Reads the balances once with these settings. */
export async function tryConnection(effective: EffectiveSettings): Promise<ConnectionTest> {
  const { fields, secrets, problem } = effective
  const missing = effective.missing.filter((name) => !NOT_NEEDED.includes(name))
  const nothingTried = { ok: false as const, balances_count: null, duration_ms: 0 }
  if (missing.length > 0 || fields.base_url.value === null) {
    const message = [`Still missing: ${missing.join(", ")}.`, describeProblem(problem) ?? ""].join(" ").trim()
    return { ...nothingTried, problem: "not_configured", message }
  }
  const secretKey = secrets.get("secret_key")?.values[0]
  const client = openClient({
    baseUrl: fields.base_url.value,
    auth: authInForce(effective),
    timeoutMs: fields.timeout_ms.value,
    ...(secretKey === undefined ? {} : { secretKey }),
  })
  if (typeof client === "string") {
    return { ...nothingTried, problem: "not_configured", message: client }
  }
  const startedAt = performance.now()
  const durationMs = (): number => Math.round(performance.now() - startedAt)
  try {
    const { length } = await client.listBalances()
    const message = `The gateway answers: ${String(length)} ${length === 1 ? "balance" : "balances"} read.`
    return { ok: true, problem: null, message, balances_count: length, duration_ms: durationMs() }
  } catch (error) {
    if (!(error instanceof GatewayError)) {
      throw error
    }
    return { ...nothingTried, ...describeGatewayProblem(error), duration_ms: durationMs() }
  } finally {
    await client.close()
  }
}

/** A client, or why there is none. It names the option and never its value. */
function openClient(options: GatewayClientOptions): GatewayClient | string {
  try {
    return new GatewayClient(options)
  } catch (error) {
    return error instanceof TypeError ? error.message : "The settings cannot be used."
  }
}
