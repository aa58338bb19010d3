import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Logger } from "@medusajs/framework/types"
import { GatewayError, GatewayMalformed, GatewayRejected, GatewayUnavailable } from "../../../gateway"
import type { CheckoutFailureCode } from "../../../http-contract"
import { describeError } from "../errors"

const TABLE = "crypto_payment_provider_status"
/** A failure is exact to the minute, so that a busy shop without a gateway does not write the same row all the time. */
const NOTE_EVERY = "1 minute"

export interface CheckoutFailure {
  code: CheckoutFailureCode
  /** Of `link_host_not_allowed`: the host that the gateway's link points to. */
  host: string | null
}

/** What health shows of it. All null once a checkout has worked again. */
export interface LastCheckoutFailure {
  last_checkout_failed_at: Date | null
  last_checkout_failure_code: CheckoutFailureCode | null
  last_checkout_failure_host: string | null
}

/** Puts a failed call of the gateway into a code that may be stored and shown. */
export function toCheckoutFailure(error: GatewayError): CheckoutFailure {
  if (error instanceof GatewayMalformed && error.linkHost !== null) {
    return { code: "link_host_not_allowed", host: error.linkHost }
  }
  if (error instanceof GatewayUnavailable) {
    return { code: "gateway_unavailable", host: null }
  }
  return { code: error instanceof GatewayRejected ? "gateway_refused" : "gateway_malformed", host: null }
}

/**
 * The last failed checkout of each provider: the time and why, no payer data. It is kept in the database, so every
 * process shows the same one. The next payment link that is made clears it.
 */
export class CheckoutFailures {
  constructor(
    private readonly knex: Knex,
    private readonly logger: Logger
  ) {}

  /** A shopper got no payment link. @param providerId a registered provider */
  async noteFailed(providerId: string, { code, host }: CheckoutFailure): Promise<void> {
    await this.write(
      `INSERT INTO ${TABLE} AS s
         (id, last_checkout_failed_at, last_checkout_failure_code, last_checkout_failure_host)
       VALUES (:providerId, now(), :code, :host)
       ON CONFLICT (id) DO UPDATE
         SET last_checkout_failed_at = now(), last_checkout_failure_code = EXCLUDED.last_checkout_failure_code,
             last_checkout_failure_host = EXCLUDED.last_checkout_failure_host, updated_at = now()
       WHERE s.last_checkout_failed_at IS NULL
          OR s.last_checkout_failed_at < now() - interval '${NOTE_EVERY}'
          OR s.last_checkout_failure_code IS DISTINCT FROM EXCLUDED.last_checkout_failure_code
          OR s.last_checkout_failure_host IS DISTINCT FROM EXCLUDED.last_checkout_failure_host`,
      { providerId, code, host }
    )
  }

  /** The gateway made a payment link that can be offered. */
  async noteWorked(providerId: string): Promise<void> {
    await this.write(
      `UPDATE ${TABLE}
          SET last_checkout_failed_at = NULL, last_checkout_failure_code = NULL,
              last_checkout_failure_host = NULL, updated_at = now()
        WHERE id = :providerId AND last_checkout_failed_at IS NOT NULL`,
      { providerId }
    )
  }

  /** It is for people to look at. A checkout does not depend on it. */
  private async write(statement: string, bindings: Record<string, string | null>): Promise<void> {
    try {
      await this.knex.raw(statement, bindings as Record<string, Knex.RawBinding>)
    } catch (error) {
      this.logger.warn(
        `crypto payments: how the last checkout went could not be noted (${describeError(error)})`
      )
    }
  }
}
