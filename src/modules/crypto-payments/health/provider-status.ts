import { createHash } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { ProviderHealth } from "../../../http-contract"
import type { LastCheckoutFailure } from "./checkout-failures"

const TABLE = "crypto_payment_provider_status"
/** Facts are exact to the minute; a flood of notifications must not become a flood of updates. */
const NOTE_EVERY = "1 minute"
const NOTE_EVERY_MS = 60_000
const SELF_TEST_LIFE = "1 minute"

/** Why a notification was refused. */
export type RefusalReason = NonNullable<ProviderHealth["last_refused_webhook_reason"]>

/** What happened to a provider lately. */
export interface ProviderStatus extends LastCheckoutFailure {
  last_webhook_at: Date | null
  last_refused_webhook_at: Date | null
  last_refused_webhook_reason: RefusalReason | null
}

/** One row per provider of what happened lately: for people to look at, and for nothing that moves money. */
export class ProviderStatusStore {
  /** When this process last wrote, so that most notifications of a flood do not even reach the database. */
  private readonly notedAtMs = new Map<string, number>()

  constructor(private readonly knex: Knex) {}

  async list(): Promise<Map<string, ProviderStatus>> {
    const rows = await this.knex<ProviderStatus & { id: string }>(TABLE).select(
      "id",
      "last_webhook_at",
      "last_refused_webhook_at",
      "last_refused_webhook_reason",
      "last_checkout_failed_at",
      "last_checkout_failure_code",
      "last_checkout_failure_host"
    )
    return new Map(rows.map(({ id, ...status }) => [id, status]))
  }

  /** A genuine notification came, about a request of ours or not. */
  async noteReceived(providerId: string): Promise<void> {
    if (this.isNew(providerId, "received")) {
      await this.knex.raw(
        `INSERT INTO ${TABLE} AS s (id, last_webhook_at) VALUES (?, now())
         ON CONFLICT (id) DO UPDATE SET last_webhook_at = now(), updated_at = now()
          WHERE s.last_webhook_at IS NULL OR s.last_webhook_at < now() - interval '${NOTE_EVERY}'`,
        [providerId]
      )
    }
  }

  /** A notification was refused: at most one row update a minute, however many are sent to however many instances. */
  async noteRefused(providerId: string, reason: RefusalReason): Promise<void> {
    if (this.isNew(providerId, "refused")) {
      await this.knex.raw(
        `INSERT INTO ${TABLE} AS s (id, last_refused_webhook_at, last_refused_webhook_reason) VALUES (?, now(), ?)
         ON CONFLICT (id) DO UPDATE
           SET last_refused_webhook_at = now(), last_refused_webhook_reason = EXCLUDED.last_refused_webhook_reason,
               updated_at = now()
         WHERE s.last_refused_webhook_at IS NULL
            OR s.last_refused_webhook_at < now() - interval '${NOTE_EVERY}'`,
        [providerId, reason]
      )
    }
  }

  /** Expects one self-test with this nonce, on whichever instance it arrives; an earlier one is forgotten. */
  async expectSelfTest(providerId: string, nonce: string): Promise<void> {
    await this.knex.raw(
      `INSERT INTO ${TABLE} (id, self_test_hash, self_test_expires_at)
       VALUES (?, ?, now() + interval '${SELF_TEST_LIFE}')
       ON CONFLICT (id) DO UPDATE SET self_test_hash = EXCLUDED.self_test_hash,
         self_test_expires_at = EXCLUDED.self_test_expires_at, updated_at = now()`,
      [providerId, hash(nonce)]
    )
  }

  /** Takes a self-test that arrived; each nonce counts once. @returns whether it was expected */
  async takeSelfTest(providerId: string, nonce: string): Promise<boolean> {
    const changed = await this.knex(TABLE)
      .where({ id: providerId, self_test_hash: hash(nonce) })
      .whereRaw("self_test_expires_at > now()")
      .update({ self_test_hash: null, updated_at: this.knex.fn.now() })
    return changed === 1
  }

  /** Whether a self-test is still awaited, that is: it has not arrived. */
  async isSelfTestAwaited(providerId: string, nonce: string): Promise<boolean> {
    const [row] = await this.knex<{ id: string; self_test_hash: string | null }>(TABLE)
      .where({ id: providerId, self_test_hash: hash(nonce) })
      .select("id")
    return row !== undefined
  }

  private isNew(providerId: string, what: string): boolean {
    const now = Date.now()
    const key = `${what} ${providerId}`
    const isNew = now - (this.notedAtMs.get(key) ?? -Infinity) >= NOTE_EVERY_MS
    if (isNew) {
      this.notedAtMs.set(key, now)
    }
    return isNew
  }
}

function hash(nonce: string): string {
  return createHash("sha256").update(nonce).digest("hex")
}
