import type { ProviderStatusStore } from "../health/provider-status"
import { Refused, undefinedOnUniqueViolation } from "../errors"
import { GatewayError } from "../../../gateway"
import { openClient, whyUnusable } from "../gateway-clients"
import { describeGatewayProblem, type Problem } from "../gateway-problem"
import {
  crossedCurrencies,
  describeProblem,
  resolveEffective,
  type EffectiveSettings,
  type ProviderSettings,
} from "./effective-settings"
import { settingAt } from "./names"
import {
  AdminCheckCryptoSettings,
  AdminSaveCryptoSettings,
  draftSettings,
  parseSettings,
  refusal,
} from "./settings-form"
import type { SettingsRegistry } from "./settings-registry"
import type { FormerOrigin, SettingsStore } from "./settings-store"
import { listFormerOrigins, viewEncryptionKey, viewSettings } from "./settings-view"

/** Shows, saves and tests settings. Secrets can be written and never read. */
export class SettingsEditor {
  constructor(
    private readonly registry: SettingsRegistry,
    private readonly store: SettingsStore,
    private readonly statuses: Pick<ProviderStatusStore, "noteAddress" | "forgetFormerKey">
  ) {}

  async list() {
    this.registry.invalidate()
    const [all, open] = await Promise.all([this.registry.list(), this.store.countOpen()])
    return {
      settings: all.map((effective) => viewSettings(effective, open)),
      encryption_key: viewEncryptionKey(all),
    }
  }

  /** @throws MedusaError (404) when medusa-config registers no such provider */
  async read(providerId: string) {
    const effective = await this.registry.readFresh(providerId)
    const [all, open] = await Promise.all([this.registry.list(), this.store.countOpen()])
    return { settings: viewSettings(effective, open), encryption_key: viewEncryptionKey(all) }
  }

  /**
   * Saves a form. For another origin, the form has to say whose the open requests are.
   *
   * @throws Refused, and nothing is written; MedusaError (404) when there is no such provider
   */
  async save(providerId: string, body: unknown) {
    const parsed = parseSettings(AdminSaveCryptoSettings, body)
    const { version, confirm_origin_change: isConfirmed, same_account, drop_former_key, ...form } = parsed
    const before = await this.registry.readFresh(providerId)
    if (before.stored.version !== version) {
      throw staleVersion(before)
    }
    const { stored, givesSecret } = draftSettings(before, form)
    if (drop_former_key === true) {
      stored.secrets["secret_key"] = (stored.secrets["secret_key"] ?? []).slice(0, 1)
    }
    const next = resolveEffective(before.registration, stored)
    if (givesSecret) {
      refuseWithoutKey()
    }
    refuseMalformed(next)
    refuseCrossedLimits(next)
    const asked = listFormerOrigins(next, await this.store.countOpen())
    const isMoving = next.origin !== null && next.origin !== before.origin
    if (isMoving && asked.length > 0 && isConfirmed !== true) {
      throw unconfirmed(asked)
    }
    const answer = {
      formerOrigins: [(isMoving && before.origin) || [], asked.map(({ origin }) => origin)].flat(),
      movesTo: same_account === true ? next.origin : null,
    }
    const saving = this.store.save(before.registration, stored, isConfirmed === true ? answer : null)
    const saved = await undefinedOnUniqueViolation(saving)
    if (saved === undefined) {
      throw notSameAccount()
    }
    if (!saved) {
      throw staleVersion(await this.registry.readFresh(providerId))
    }
    if (drop_former_key === true || form.secret_key != null) {
      await this.statuses.forgetFormerKey(providerId)
    }
    if (next.public_url !== null) {
      await this.statuses.noteAddress(providerId, next.public_url)
    }
    return await this.read(providerId)
  }

  /** Reads the balances with a form's settings; saves nothing. @throws Refused; MedusaError 404 */
  async check(providerId: string, body: unknown) {
    const form = parseSettings(AdminCheckCryptoSettings, body)
    const before = await this.registry.readFresh(providerId)
    const next = resolveEffective(before.registration, draftSettings(before, form).stored)
    return await checkConnection(next)
  }
}

/** A test of the connection does not need these. */
const NOT_NEEDED = ["success_url", "failed_url", "secret_key"]

/** Reads the balances. @throws MedusaError 400 `paused` */
async function checkConnection(settings: EffectiveSettings) {
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

/** A new secret needs a key. */
function refuseWithoutKey(): void {
  const { state, message } = viewEncryptionKey([])
  if (message !== null) {
    throw new Refused(400, { code: "encryption_key", message, state })
  }
}

/** Refuses what the gateway client itself would refuse, such as an impossible header. @throws Refused */
function refuseMalformed(next: EffectiveSettings): void {
  const why = next.isConfigured ? whyUnusable(next) : undefined
  if (why !== undefined) {
    // Without an option in front, the fault is outside of the settings: HTTPS_PROXY.
    const field = settingAt((/^[a-z][\w.]*/.exec(why)?.[0] ?? "").split("."))
    throw refusal("invalid", why, field ? [field] : [])
  }
}

/** One of the limits may be medusa-config's. */
function refuseCrossedLimits(next: EffectiveSettings): void {
  const [crossed] = crossedCurrencies(next)
  if (crossed !== undefined) {
    const [smallest, largest] = [next.min_amount, next.max_amount].map(
      (limit) => `${limit?.[crossed] ?? ""} ${crossed.toUpperCase()}`
    )
    const message = `The smallest amount, ${smallest}, is above the largest, ${largest}. Correct min_amount or max_amount.`
    const fields = ["min_amount", "max_amount"]
    throw new Refused(400, { code: "limits_crossed", message, fields, smallest, largest })
  }
}

function staleVersion({ stored: { version } }: EffectiveSettings): Refused {
  const message = "Somebody saved these settings in between. Load them again, then make your change."
  return new Refused(409, { code: "stale_version", version, message })
}

function unconfirmed(asked: FormerOrigin[]): Refused {
  const open_requests = asked.reduce((sum, former) => sum + former.open_requests, 0)
  const former_origin = asked.map(({ origin }) => origin).join(", ")
  const [requests, were, they] =
    open_requests === 1 ? ["payment request", "was", "it is"] : ["payment requests", "were", "they are"]
  return new Refused(409, {
    code: "origin_change_unconfirmed",
    open_requests,
    former_origin,
    message:
      `${String(open_requests)} open ${requests} ${were} made at ${former_origin}. Send confirm_origin_change: true, and ` +
      `${they} closed, because the new address is of another gateway account: what was paid since the last check is not ` +
      `seen any more. If it is the same account at a new address, ` +
      `send same_account: true too, and ${they} read there from now on.`,
  })
}

/** An account gives each id once. */
function notSameAccount(): Refused {
  const message =
    "The address in use has a payment request with the id of one that was made at a former address, so they are of two accounts. Nothing was saved. Say that it is another account."
  return new Refused(409, { code: "not_same_account", message })
}
