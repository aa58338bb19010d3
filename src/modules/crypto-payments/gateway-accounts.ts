import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CryptoPaymentRequestRow } from "./models/crypto-payment-request"
import { REQUESTS } from "./payment-requests/request-sql"
import { addActivity } from "./payment-requests/timeline"

const STATUSES = "crypto_payment_provider_status"

/** Where a row was found. */
export interface ConfirmedMove {
  origin: string
  /** Null when the payer must not be sent to the link given there. */
  paymentLink: string | null
  status: string
}

/**
 * What identifies a gateway payment: its account and its id there. The gateway names no account in a payment record,
 * its keys rotate and its address may change, so an account is a name the plugin keeps: the origin of the address at
 * which it was first used. docs/adr/0010-what-identifies-a-gateway-account.md says why.
 */
export class GatewayAccounts {
  constructor(private readonly knex: Knex) {}

  /**
   * The account a provider uses. The first call names it after `origin`; a later change of the address keeps the name.
   */
  async of(providerId: string, origin: string): Promise<string> {
    const known = await this.knex<{ id: string; gateway_account: string | null }>(STATUSES)
      .where({ id: providerId })
      .first("gateway_account")
    if (known?.gateway_account) {
      return known.gateway_account
    }
    const { rows } = await this.knex.raw<{ rows: [{ gateway_account: string }] }>(
      `INSERT INTO ${STATUSES} AS s (id, gateway_account) VALUES (?, ?)
       ON CONFLICT (id) DO UPDATE SET gateway_account = COALESCE(s.gateway_account, EXCLUDED.gateway_account)
       RETURNING gateway_account`,
      [providerId, origin]
    )
    return rows[0].gateway_account
  }

  /**
   * The provider's new payment has an id that another payment of its account has, so it uses another account now: a
   * fresh creation cannot return an old id. The row under creation, and all later ones, belong to that account.
   *
   * @returns false when the account has that name already: then the gateway gave one id twice
   */
  async startAnother({
    id,
    provider_id,
    gateway_account,
    gateway_origin,
  }: CryptoPaymentRequestRow): Promise<boolean> {
    if (gateway_account === gateway_origin) {
      return false
    }
    await this.knex(STATUSES)
      .where({ id: provider_id, gateway_account })
      .update({ gateway_account: gateway_origin, updated_at: this.knex.fn.now() })
    await this.knex(REQUESTS).where({ id }).update({ gateway_account: gateway_origin })
    return true
  }

  /** A read at `origin` has confirmed the row: it is read there from now on, and its link is the one given there. */
  async move(row: CryptoPaymentRequestRow, { origin, paymentLink, status }: ConfirmedMove): Promise<void> {
    const changed = await this.knex(REQUESTS)
      .where({ id: row.id, gateway_origin: row.gateway_origin })
      .update({
        gateway_origin: origin,
        ...(paymentLink === null ? {} : { payment_link: paymentLink }),
        updated_at: this.knex.fn.now(),
      })
    if (changed > 0) {
      await addActivity(this.knex, row.id, "checked", {
        status,
        note: `The gateway's address is ${origin} now. It was ${row.gateway_origin}.`,
      })
    }
  }
}
