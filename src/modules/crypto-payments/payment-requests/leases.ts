import { randomUUID } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { IS_FREE, REQUESTS } from "./request-sql"

/** Rows of a dead process are released only by the end of this. A process that lives extends its leases. */
const LEASE_MS = 30_000
const EXTEND_EVERY_MS = 10_000
/** How long a settle may take. One that hangs longer does not keep its row. */
export const SETTLE_MS = 2 * 60_000
export const LEASE = `${String(LEASE_MS)} milliseconds`
/** The columns of an UPDATE that leases a row. @param leaseId in SQL */
export const LEASED = (leaseId: string): string =>
  `lease_id = ${leaseId}, lease_until = now() + interval '${LEASE}', check_requested_at = NULL`
/** A failed settle is tried again after 5 seconds, then each time after twice as long, ten minutes at most. */
const RETRY = "LEAST(interval '5 seconds' * power(2, LEAST(settles_begun - 1, 10)), interval '10 minutes')"

/** A row that one settle holds. Every write of that settle requires `lease_id`. */
export type LeasedRow = CryptoPaymentRequestRow & { lease_id: string }

/** Another settle has taken the row. Nothing was written. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost"
}

/** A write of a settle changes nothing once its lease is lost. */
export function fence(lease: LeasedRow | undefined): Partial<CryptoPaymentRequestRow> {
  return lease === undefined ? {} : { id: lease.id, lease_id: lease.lease_id }
}

/**
 * One settle at a time works on a row, in whichever process it runs: it leases the row, extends the lease, and releases
 * it. Due rows are leased by `PaymentRequestQueue`.
 */
export class Leases {
  constructor(private readonly knex: Knex) {}

  /**
   * Leases the row, due or not. @returns undefined without a change when another settle holds it
   *
   * @param settles 0 to hold the row for something else than a settle
   */
  async lease(id: string, settles: 0 | 1 = 1): Promise<LeasedRow | undefined> {
    const { rows } = await this.knex.raw<{ rows: LeasedRow[] }>(
      `UPDATE ${REQUESTS} r SET ${LEASED("?")}, settles_begun = r.settles_begun + ${String(settles)}
        WHERE r.id = ? AND ${IS_FREE} RETURNING *`,
      [randomUUID(), id]
    )
    return rows[0]
  }

  /** Does the work, and extends the lease meanwhile. */
  async hold<T>(lease: LeasedRow, work: () => Promise<T>): Promise<T> {
    const hangsAt = performance.now() + SETTLE_MS
    const timer = setInterval(() => {
      if (performance.now() >= hangsAt) {
        clearInterval(timer)
        return
      }
      // Without the database nothing is written either.
      void this.extend(lease).catch(() => undefined)
    }, EXTEND_EVERY_MS).unref()
    try {
      return await work()
    } finally {
      clearInterval(timer)
    }
  }

  /** Extends the lease to its full length. @returns false when another settle has taken it */
  async extend({ id, lease_id }: LeasedRow): Promise<boolean> {
    const until = this.knex.raw(`now() + interval '${LEASE}'`)
    return (await this.knex(REQUESTS).where({ id, lease_id }).update({ lease_until: until })) === 1
  }

  /** A settle holds the row at this moment. */
  async isHeld(id: string): Promise<boolean> {
    const held = this.knex(REQUESTS).where({ id }).whereRaw("lease_until > now()")
    return (await held.first("id")) !== undefined
  }

  /** Releases the row without changing when it is due. */
  async release({ id, lease_id }: LeasedRow): Promise<void> {
    await this.knex(REQUESTS).where({ id, lease_id }).update({ lease_id: null, lease_until: null })
  }

  /**
   * Releases the row of a failed settle, to be due after a while, or sooner if somebody asked for a check.
   *
   * @returns in how many milliseconds the row is due; null when another settle has taken it
   */
  async releaseFailed({ id, lease_id }: LeasedRow): Promise<number | null> {
    const { rows } = await this.knex.raw<{ rows: { due_in_ms: number }[] }>(
      // A row that has failed repeatedly is not urgent any more.
      `UPDATE ${REQUESTS} SET lease_id = NULL, lease_until = NULL,
              next_check_at = CASE WHEN check_requested_at IS NULL THEN now() + ${RETRY} ELSE GREATEST(now(), check_requested_at) END,
              check_trigger = CASE WHEN settles_begun <= 3 THEN check_trigger END
        WHERE id = ? AND lease_id = ? RETURNING extract(epoch FROM next_check_at - now())::float8 * 1000 AS due_in_ms`,
      [id, lease_id]
    )
    return rows[0]?.due_in_ms ?? null
  }

  /** For a settle that hangs: when its lease has ended, its row is not leased first. */
  async putOff({ id, lease_id }: LeasedRow): Promise<void> {
    await this.knex(REQUESTS)
      .where({ id, lease_id })
      .update({ next_check_at: this.knex.raw(`now() + ${RETRY}`) })
  }
}
