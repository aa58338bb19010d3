import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Logger } from "@medusajs/framework/types"
import { GatewayMalformed, GatewayUnavailable, isRefusal, type GatewayError } from "../../../gateway"
import { describeError } from "../errors"
import type { SettingsRegistry } from "../settings/settings-registry"

const TABLE = "crypto_payment_provider_status"
/** Facts are exact to the minute: a flood of notifications must not become a flood of updates. */
const NOTE_EVERY_MS = 60_000

export type RefusalReason =
  | "wrong_secret"
  | "value_not_text"
  | "malformed"
  | "not_configured"
  | "too_large"
  | "too_slow"
  | "already_read"

/** Why a shopper got no payment link. */
export interface CheckoutFailure {
  /**
   * `gateway_refused`: the gateway refused to create the payment request, or to read an open one.
   * `link_host_not_allowed`: its payment link points to a host that is not in `paymentLinkHosts`.
   */
  code:
    | "not_configured"
    | "gateway_unavailable"
    | "gateway_refused"
    | "gateway_malformed"
    | "link_host_not_allowed"
  /** The host that the gateway's link points to, for `link_host_not_allowed`. */
  host: string | null
}

export const NOTHING_NOTED = {
  last_webhook_at: null as Date | null,
  last_refused_webhook_at: null as Date | null,
  last_refused_webhook_reason: null as RefusalReason | null,
  /** When the secret key before the present one last verified a notification that the present one did not. */
  former_key_used_at: null as Date | null,
  /** When a shopper last got no payment link; null once one was created again. */
  last_checkout_failed_at: null as Date | null,
  last_checkout_failure_code: null as CheckoutFailure["code"] | null,
  last_checkout_failure_host: null as string | null,
  set_up_address: null as string | null,
}

export type ProviderStatus = typeof NOTHING_NOTED

/** The most likely set-up mistakes are also logged. */
const WARNINGS: Partial<Record<RefusalReason, string>> = {
  wrong_secret: "its approval hash does not match. Is secretKey right?",
  value_not_text: "a value in it is neither text nor null, so its approval hash cannot be verified",
  already_read:
    "a middleware of the store read it first and left nothing that can be verified. Let that middleware skip /hooks/payment",
}

/** The code of a failed gateway call, which may be stored and shown. */
export function toCheckoutFailure(error: GatewayError): CheckoutFailure {
  if (error instanceof GatewayMalformed && error.linkHost !== null) {
    return { code: "link_host_not_allowed", host: error.linkHost }
  }
  if (error instanceof GatewayUnavailable) {
    return { code: "gateway_unavailable", host: null }
  }
  return { code: isRefusal(error) ? "gateway_refused" : "gateway_malformed", host: null }
}

/** What happened lately to each provider, for display only. No payer data. A failed write changes no answer. */
export class ProviderStatusStore {
  /** When this process last wrote: most notifications of a flood do not even reach the database. */
  private readonly notedAtMs = new Map<string, number>()

  constructor(
    private readonly knex: Knex,
    private readonly logger: Logger
  ) {}

  async list(): Promise<Map<string, ProviderStatus>> {
    const rows = await this.knex<ProviderStatus & { id: string }>(TABLE).select(
      "id",
      ...Object.keys(NOTHING_NOTED)
    )
    return new Map(rows.map(({ id, ...status }) => [id, status]))
  }

  /** A genuine notification arrived, about a request of ours or not; or one that the former secret key signed. */
  async noteReceived(
    providerId: string,
    at: "last_webhook_at" | "former_key_used_at" = "last_webhook_at"
  ): Promise<void> {
    if (this.isNews(`${providerId} ${at}`)) {
      await this.note(providerId, at, {})
    }
  }

  /** The secret key has changed, or the one before it is not accepted any more: what was noted is of another key. */
  async forgetFormerKey(id: string): Promise<void> {
    await this.write(this.knex(TABLE).where({ id }).update({ former_key_used_at: null }))
  }

  /** At most one log entry and one row update a minute: there may be many forgeries, on several instances. */
  async noteRefused(providerId: string, reason: RefusalReason): Promise<void> {
    const warning = WARNINGS[reason]
    if (this.isNews(`${providerId} ${reason}`)) {
      if (warning !== undefined) {
        this.logger.warn(`${providerId}: a notification was refused (${reason}), ${warning}`)
      }
      await this.note(providerId, "last_refused_webhook_at", { last_refused_webhook_reason: reason })
    }
  }

  /** A shopper got no payment link. @param providerId a registered provider */
  async noteFailed(providerId: string, { code, host }: CheckoutFailure): Promise<void> {
    const why = { last_checkout_failure_code: code, last_checkout_failure_host: host }
    await this.note(providerId, "last_checkout_failed_at", why)
  }

  /** The gateway created a payment link that can be offered. */
  async noteWorked(providerId: string): Promise<void> {
    await this.write(
      this.knex(TABLE).where({ id: providerId }).whereNotNull("last_checkout_failed_at").update({
        last_checkout_failed_at: null,
        last_checkout_failure_code: null,
        last_checkout_failure_host: null,
        updated_at: this.knex.fn.now(),
      })
    )
  }

  /** At boot: notes the store's public address for each configured provider that has none yet. */
  async noteAddresses(settings: SettingsRegistry): Promise<void> {
    // If the settings cannot be read, a warning at boot says so.
    for (const { providerId, isConfigured, public_url } of await settings.list().catch(() => [])) {
      if (isConfigured && public_url !== null) {
        await this.noteAddress(providerId, public_url, `${TABLE}.set_up_address IS NULL`)
      }
    }
  }

  /** The merchant saves the settings: the address is the store's from now on. */
  async noteAddress(id: string, set_up_address: string, condition = "true"): Promise<void> {
    const changed = { set_up_address, updated_at: this.knex.fn.now() }
    await this.write(
      this.knex(TABLE).insert({ id, set_up_address }).onConflict("id").merge(changed).whereRaw(condition)
    )
  }

  /** A genuine self-test arrived. A repeat writes nothing. */
  async noteSelfTest(providerId: string, nonce: string): Promise<void> {
    await this.knex(TABLE)
      .insert({ id: providerId, self_test_nonce: nonce })
      .onConflict("id")
      .merge()
      .whereRaw(`${TABLE}.self_test_nonce IS DISTINCT FROM EXCLUDED.self_test_nonce`)
  }

  /** Whether the last self-test that arrived, on any instance, had this nonce. */
  async hasSelfTest(providerId: string, nonce: string): Promise<boolean> {
    const row: unknown = await this.knex(TABLE).where({ id: providerId, self_test_nonce: nonce }).first("id")
    return row !== undefined
  }

  private isNews(key: string): boolean {
    const isNews = Date.now() - (this.notedAtMs.get(key) ?? -Infinity) >= NOTE_EVERY_MS
    if (isNews) {
      this.notedAtMs.set(key, Date.now())
    }
    return isNews
  }

  /** Writes at most once a minute. */
  private async note(id: string, at: string, more: Record<string, string | null>): Promise<void> {
    const facts = { [at]: this.knex.fn.now(), ...more }
    await this.write(
      this.knex(TABLE)
        .insert({ id, ...facts })
        .onConflict("id")
        .merge({ ...facts, updated_at: this.knex.fn.now() })
        .whereRaw(`(${TABLE}.${at} IS NULL OR ${TABLE}.${at} < now() - interval '1 minute')`)
    )
  }

  private async write(statement: PromiseLike<unknown>): Promise<void> {
    try {
      await statement
    } catch (error) {
      this.logger.warn(
        `crypto payments: what happened to a provider could not be noted (${describeError(error)})`
      )
    }
  }
}
