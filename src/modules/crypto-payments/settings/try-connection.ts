import { GatewayClient, GatewayError } from "../../../gateway"
import type { ConnectionTest } from "../../../http-contract"
import { describeGatewayProblem } from "../gateway-problem"
import { toGatewayAuth } from "./auth-settings"
import type { EffectiveSettings } from "./effective-settings"
import { toFieldName } from "./names"
import type { SettingsRefusal } from "./settings-input"
import type { Secret } from "./stored-settings"

/** Settings the gateway client itself would refuse, such as a header nobody can send. */
export function refuseMalformed({ resolution }: EffectiveSettings<Secret>): SettingsRefusal | undefined {
  if (!resolution.configured) {
    return undefined
  }
  try {
    void openClient(resolution.settings).close()
    return undefined
  } catch (error) {
    // The client names the option and never its value.
    const message = error instanceof TypeError ? error.message : "The settings cannot be used."
    return { code: "invalid", message, fields: [toFieldName(/^[\w.]+/.exec(message)?.[0] ?? "auth")] }
  }
}

/** Reads the balances once with these settings. */
export async function tryConnection(effective: EffectiveSettings<Secret>): Promise<ConnectionTest> {
  const { resolution } = effective
  // Return addresses are not needed to talk to the gateway.
  const missing = resolution.configured
    ? []
    : resolution.missing.filter((name) => !["successUrl", "failedUrl", "secretKey"].includes(name))
  const { baseUrl, timeoutMs } = effective.fields
  if (missing.length > 0 || baseUrl.value === null) {
    const message = [`Still missing: ${missing.map(toFieldName).join(", ")}.`, effective.problem ?? ""]
      .join(" ")
      .trim()
    return { ok: false, problem: "not_configured", message, balances_count: null, duration_ms: 0 }
  }
  const secret = (name: string): string | undefined => {
    const found = effective.secrets.get(name)
    return found?.isElsewhere === true ? undefined : found?.values[0]
  }
  const { auth } = effective.registration.options
  const startedAt = performance.now()
  const durationMs = (): number => Math.round(performance.now() - startedAt)
  let client: GatewayClient
  try {
    client = openClient({
      baseUrl: baseUrl.value,
      auth: typeof auth === "function" ? auth : toGatewayAuth(effective.auth, secret),
      secretKeys: [secret("secret_key") ?? ""],
      timeoutMs: timeoutMs.value,
    })
  } catch (error) {
    const message = error instanceof TypeError ? error.message : "The settings cannot be used."
    return { ok: false, problem: "not_configured", message, balances_count: null, duration_ms: 0 }
  }
  try {
    const { length } = await client.listBalances()
    const message = `The gateway answers: ${String(length)} ${length === 1 ? "balance" : "balances"} read.`
    return { ok: true, problem: null, message, balances_count: length, duration_ms: durationMs() }
  } catch (error) {
    if (!(error instanceof GatewayError)) {
      throw error
    }
    return { ok: false, ...describeGatewayProblem(error), balances_count: null, duration_ms: durationMs() }
  } finally {
    await client.close()
  }
}

function openClient(
  settings: Pick<
    Extract<EffectiveSettings["resolution"], { configured: true }>["settings"],
    "baseUrl" | "auth" | "timeoutMs"
  > & {
    secretKeys: readonly string[]
  }
): GatewayClient {
  const { baseUrl, auth, timeoutMs, secretKeys } = settings
  const [secretKey] = secretKeys
  return new GatewayClient({ baseUrl, auth, timeoutMs, ...(secretKey ? { secretKey } : {}) })
}
