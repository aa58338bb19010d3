import { MedusaError } from "@medusajs/framework/utils"
import { GatewayError, linkHost, readPaymentLink, type GatewayClient } from "../../../gateway"
import { Refused, unknownProviderError, undefinedOnUniqueViolation } from "../errors"
import { makeClient, openClient } from "../gateway-clients"
import { describeGatewayProblem, type Problem } from "../gateway-problem"
import type { ProviderStatusStore } from "../health/provider-status"
import { draftSettings, sealAll } from "./draft-settings"
import {
  describeProblem,
  originOf,
  resolveEffective,
  type EffectiveSecret,
  type EffectiveSettings,
  type ProviderSettings,
} from "./effective-settings"
import { KEY_MESSAGES, type EncryptionKeys } from "./encryption-keys"
import { settingAt } from "./names"
import { AdminCheckCryptoSettings, AdminSaveCryptoSettings, parseSettings, refusal } from "./settings-form"
import type { SettingsRegistry } from "./settings-registry"
import type { FormerOrigin, OpenRequests, SettingsStore } from "./settings-store"
import { webhookOf } from "./webhook-address"

type LinkSettings = Pick<ReturnType<typeof viewSettings>, "provider_id" | "fields">

/** Shows, saves and tests settings. Secrets can be written and never read. */
export class SettingsEditor {
  constructor(
    private readonly registry: SettingsRegistry,
    private readonly store: SettingsStore,
    private readonly statuses: Pick<ProviderStatusStore, "acceptAddress">
  ) {}

  async list() {
    this.registry.invalidate()
    const [all, open] = await Promise.all([this.registry.list(), this.store.countOpen()])
    return {
      settings: all.map((effective) => viewSettings(effective, open)),
      encryption_key: viewEncryptionKey(this.registry.keys(), all),
    }
  }

  /** @throws MedusaError (404) when medusa-config registers no such provider */
  async read(providerId: string) {
    const { settings: all, encryption_key } = await this.list()
    const settings = all.find(({ provider_id }) => provider_id === providerId)
    if (settings === undefined) {
      throw unknownProviderError()
    }
    return { settings, encryption_key }
  }

  /**
   * Saves a form. For another origin, the form has to say whose the open requests are.
   *
   * @throws Refused, and nothing is written; MedusaError (404) when there is no such provider
   */
  async save(providerId: string, body: unknown) {
    const form = parseSettings(AdminSaveCryptoSettings, body)
    const { version, confirm_origin_change, same_account, discard_unreadable_secrets, ...input } = form
    const isConfirmed = confirm_origin_change === true
    const isDiscarded = discard_unreadable_secrets === true
    const effective = await this.registry.readFresh(providerId)
    refuseStale(effective.stored.version, version)
    const { stored, leaves, givesSecret } = draftSettings(effective, input)
    const next = resolveEffective(effective.registration, stored)
    const key = viewEncryptionKey(this.registry.keys(), [effective])
    // A new secret needs the key, and the key must be the one that the others were encrypted with.
    if (givesSecret && key.message !== null && !(key.state === "wrong" && isDiscarded)) {
      throw new Refused(400, { code: "encryption_key", message: key.message, state: key.state })
    }
    refuseMalformed(next)
    refuseCrossedLimits(next)
    const asked = listFormerOrigins(next, await this.store.countOpen())
    if (leaves !== null && asked.length > 0 && !isConfirmed) {
      throw unconfirmed(asked)
    }
    const answer = {
      formerOrigins: [leaves ?? [], asked.map(({ origin }) => origin)].flat(),
      movesTo: same_account === true ? next.origin : null,
    }
    const columns = {
      options: stored.options,
      bound_base_url: stored.bound_base_url,
      secrets: sealAll(this.registry.keys(), providerId, stored, isDiscarded),
    }
    const saving = this.store.save(providerId, version, columns, isConfirmed ? answer : null)
    const isSaved = await undefinedOnUniqueViolation(saving)
    if (isSaved === undefined) {
      throw notSameAccount()
    }
    const saved = await this.read(providerId)
    if (!isSaved) {
      refuseStale(saved.settings.version, version)
    }
    const publicUrl = saved.settings.fields.public_url.value
    if (publicUrl !== null) {
      await this.statuses.acceptAddress(providerId, publicUrl)
    }
    return { ...saved, warnings: await this.warnOfLinkHosts(saved.settings) }
  }

  /** Reads the balances with a form's settings; saves nothing. @throws Refused; MedusaError 404 */
  async check(providerId: string, body: unknown) {
    const form = parseSettings(AdminCheckCryptoSettings, body)
    const effective = await this.registry.readFresh(providerId)
    const next = resolveEffective(effective.registration, draftSettings(effective, form).stored)
    const [check, warnings] = await Promise.all([
      tryConnection(next),
      this.warnOfLinkHosts({ provider_id: providerId, fields: next.fields }),
    ])
    return { ...check, warnings }
  }

  /** Hosts of the gateway's last links that these settings do not allow. */
  async findHostsNotAllowed({ provider_id, fields }: LinkSettings): Promise<string[]> {
    const allowed = fields.payment_link_hosts.value
    const origin = originOf(fields.base_url.value)
    if (allowed === null || origin === null) {
      return []
    }
    const links = await this.store.readLastLinks(provider_id, origin)
    const refused = links.filter((link) => readPaymentLink(link, allowed) === undefined)
    return [...new Set(refused.flatMap((link) => linkHost(link) ?? []))]
  }

  private async warnOfLinkHosts(settings: LinkSettings) {
    const hosts = await this.findHostsNotAllowed(settings)
    const message = `The gateway's last payment links point to ${hosts.join(", ")}, which payment_link_hosts does not list. A shopper who gets such a link cannot pay.`
    return hosts.length === 0
      ? []
      : [{ code: "link_hosts_not_allowed" as const, message, fields: ["payment_link_hosts"], hosts }]
  }
}

const isUnreadable = ({ problems }: EffectiveSecret): boolean => problems.includes("unreadable")

/** With a sentence that says what to do. */
function viewEncryptionKey(keys: EncryptionKeys, all: EffectiveSettings[]) {
  const isWrong =
    keys.state === "present" && all.some(({ secrets }) => [...secrets.values()].some(isUnreadable))
  const state: keyof typeof KEY_MESSAGES = isWrong ? "wrong" : keys.state
  return { state, message: KEY_MESSAGES[state] }
}

/** @see docs/admin-api.md, "Settings" */
function viewSettings(effective: EffectiveSettings, open: OpenRequests[]) {
  const { registration, stored, fields, secrets, problem, missing } = effective
  const { path, url } = webhookOf(registration.providerId, fields.public_url.value)
  return {
    provider_id: registration.providerId,
    version: stored.version,
    updated_at: stored.updated_at,
    configured: missing.length === 0,
    missing,
    problem: describeProblem(problem),
    problem_code: problem,
    webhook_path: path,
    webhook_url: url,
    fields,
    secrets: Object.fromEntries(
      [...secrets].map(([name, secret]) => [
        name,
        {
          is_set: secret.source !== null,
          source: secret.source,
          locked: secret.source === "config",
          ...(name === "secret_key" ? { count: secret.values.length } : {}),
          ...(isUnreadable(secret) ? { unreadable: true } : {}),
        },
      ])
    ),
    former_origins: listFormerOrigins(effective, open),
  }
}

/** Other addresses than the one in use, with open requests of the provider. */
function listFormerOrigins(
  { registration: { providerId }, origin: current }: EffectiveSettings,
  open: OpenRequests[]
): FormerOrigin[] {
  return open.flatMap(({ provider_id, ...of }) =>
    current !== null && provider_id === providerId && of.origin !== current ? of : []
  )
}

/** One of the limits may be medusa-config's. */
function refuseCrossedLimits({ crossed: [crossed] }: EffectiveSettings): void {
  if (crossed !== undefined) {
    const message = `The smallest amount in ${crossed.toUpperCase()} is more than the largest. Correct min_amount or max_amount.`
    throw refusal("invalid", message, ["min_amount", "max_amount"])
  }
}

function refuseStale(version: number, expected: number): void {
  if (version !== expected) {
    const message = "Somebody saved these settings in between. Load them again, then make your change."
    throw new Refused(409, { code: "stale_version", version, message })
  }
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

/** A test of the connection does not need these. */
const NOT_NEEDED = ["success_url", "failed_url", "secret_key"]

/** Refuses what the gateway client itself would refuse, such as an impossible header. @throws Refused */
function refuseMalformed(effective: EffectiveSettings): void {
  const opened = effective.settings && tryTo(makeClient, effective.settings)
  if (typeof opened !== "string") {
    return
  }
  // Without an option in front, the fault is outside of the settings: HTTPS_PROXY.
  const field = settingAt((/^[a-z][\w.]*/.exec(opened)?.[0] ?? "").split("."))
  throw refusal("invalid", opened, field ? [field] : [])
}

async function tryConnection({ missing: all, problem: why, inForce }: EffectiveSettings) {
  const startedAt = performance.now()
  const found = (problem: Problem | null, message: string, balances_count: number | null = null) => {
    const duration_ms = Math.round(performance.now() - startedAt)
    return { ok: problem === null, problem, message, balances_count, duration_ms }
  }
  const missing = all.filter((name) => !NOT_NEEDED.includes(name))
  if (missing.length > 0) {
    const message = `Still missing: ${missing.join(", ")}. ${describeProblem(why) ?? ""}`.trim()
    return found("not_configured", message)
  }
  const client = tryTo(openClient, inForce)
  if (typeof client === "string") {
    return found("not_configured", client)
  }
  try {
    const { length } = await client.listBalances()
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

/**
 * A client, or why there is none, naming the option and never its value. Call it when nothing is missing.
 *
 * @throws MedusaError 400 `paused`
 */
function tryTo(make: typeof openClient, settings: ProviderSettings): GatewayClient | string {
  try {
    return make(settings)
  } catch (error) {
    if (error instanceof MedusaError) {
      throw error
    }
    return error instanceof TypeError ? error.message : "The settings cannot be used."
  }
}
