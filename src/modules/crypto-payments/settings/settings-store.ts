import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { FormerOrigin, SettingValues } from "../../../http-contract"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { dueColumns, REQUESTS } from "../payment-requests/request-sql"

const SETTINGS = "crypto_payment_settings"
/** Which links show where the gateway sends payers now, and among how many rows they are searched. */
const LAST_LINKS = 5
const AMONG_ROWS = 500

/** What is saved for one provider. */
export interface SavedSettings {
  version: number
  updated_at: Date | null
  /** What is no secret. */
  options: Partial<SettingValues>
  /** Sealed texts by name, newest first. A header that has no value yet is there, and empty. */
  secrets: Record<string, string[]>
  /** The gateway address the secrets were given for. They are sealed for its origin, so it cannot be changed alone. */
  bound_base_url: string | null
  /** What an admin user has said of each former origin that had open requests. */
  former_origins: Record<string, WhoseRequests>
  /** The name of the account in use since another one followed the first; null for the first. */
  gateway_account: string | null
}

/** Whose the requests of a former origin are: this account's, which has moved, or another one's. */
export type WhoseRequests = "same_account" | "another_account"

/** Nothing saved yet. */
export const NOTHING_STORED = {
  version: 0,
  updated_at: null,
  options: {},
  secrets: {},
  bound_base_url: null,
  former_origins: {},
  gateway_account: null,
} satisfies SavedSettings

/** A save: the next settings, and the former origins of which it says whose they are. Their requests are due then. */
export interface SettingsChange {
  providerId: string
  /** The version the change was made from. */
  version: number
  next: Partial<SavedSettings>
  answered: string[]
}

/** Open requests of a provider that were created at an origin. */
export type OpenRequests = FormerOrigin & { provider_id: string }

type SettingsRow = SavedSettings & { provider_id: string }

/** Saved settings in Postgres. Contains only sealed texts, never a decrypted secret. */
export class SettingsStore {
  constructor(private readonly knex: Knex) {}

  /** What is saved, by the provider's id. */
  async readAll(): Promise<Map<string, SavedSettings>> {
    const rows = await this.knex<SettingsRow>(SETTINGS)
      .whereRaw("deleted_at IS NULL")
      .select(["provider_id", "version", "updated_at", "options", "secrets"])
      .select(["bound_base_url", "former_origins", "gateway_account"])
    return new Map(rows.map(({ provider_id, ...row }) => [provider_id, row]))
  }

  /** @returns false when somebody saved in between: then nothing is written */
  async save({ providerId, version, next, answered }: SettingsChange): Promise<boolean> {
    return await this.knex.transaction(async (trx) => {
      const saved = await write(trx, providerId, { ...next, version: version + 1 }).where(
        `${SETTINGS}.version`,
        version
      )
      if (saved.length > 0 && answered.length > 0) {
        await trx(`${REQUESTS} as r`)
          .where({ provider_id: providerId })
          .whereIn("gateway_origin", answered)
          .whereRaw(IS_OPEN)
          .update(dueColumns(trx))
      }
      return saved.length > 0
    })
  }

  /**
   * A new payment of the provider has an id that a payment of its account has, which was made at another address: a new
   * creation cannot return an old id, so the provider uses another account now. The row under creation and all later
   * ones belong to that.
   *
   * @returns false when there is no such payment: then the gateway gave one id twice
   */
  async startAnotherAccount(
    { id, provider_id, gateway_account, gateway_origin }: CryptoPaymentRequestRow,
    payment_request_id: string
  ): Promise<boolean> {
    const [former] = await this.knex<CryptoPaymentRequestRow>(REQUESTS)
      .where({ gateway_account, payment_request_id })
      .whereNot({ gateway_origin })
      .whereNull("deleted_at")
      .select("id")
    if (former === undefined) {
      return false
    }
    const next = nextAccount(gateway_account)
    await write(this.knex, provider_id, { gateway_account: next }).whereRaw(
      `COALESCE(${SETTINGS}.gateway_account, ?) = ?`,
      [gateway_account, gateway_account]
    )
    await this.knex(REQUESTS).where({ id }).update({ gateway_account: next })
    return true
  }

  /** Open requests by the origin at which they were created: watched and not paid, offered or not. */
  async countOpen(): Promise<OpenRequests[]> {
    const { rows } = await this.knex.raw<{ rows: OpenRequests[] }>(
      `SELECT provider_id, gateway_origin AS origin, count(*)::int AS open_requests FROM ${REQUESTS} r
        WHERE ${IS_OPEN} GROUP BY 1, 2 ORDER BY 1, 2`
    )
    return rows
  }

  /** The payment links a provider was given last at an address, the newest first. */
  async readLastLinks(providerId: string, origin: string): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { payment_link: string }[] }>(
      `SELECT payment_link
         FROM (SELECT * FROM ${REQUESTS} WHERE deleted_at IS NULL
                ORDER BY created_at DESC, id DESC LIMIT ${String(AMONG_ROWS)}) newest
        WHERE provider_id = ? AND gateway_origin = ? AND payment_link IS NOT NULL
        ORDER BY created_at DESC, id DESC LIMIT ${String(LAST_LINKS)}`,
      [providerId, origin]
    )
    return rows.map(({ payment_link }) => payment_link)
  }
}

/** The name of the account that follows another one: `pp_crypto_default`, then `pp_crypto_default#2`. */
export function nextAccount(account: string): string {
  const [, name = account, count = "1"] = /^(.*)#(\d+)$/.exec(account) ?? []
  return `${name}#${String(Number(count) + 1)}`
}

/**
 * The rows of which a merchant has to say whose they are when the provider's address has another origin: all that are
 * watched and not paid. A closed link that is watched can still be paid.
 */
const IS_OPEN = `r.next_check_at IS NOT NULL AND r.paid_at IS NULL
  AND r.payment_request_id IS NOT NULL AND r.deleted_at IS NULL`

/** Writes columns of a provider's row, which need not be there. */
function write(knex: Knex, provider_id: string, columns: Partial<SettingsRow>) {
  const changed = { ...columns, updated_at: knex.fn.now() }
  return knex<Record<string, unknown>>(SETTINGS)
    .insert({ ...NOTHING_STORED, ...changed, id: generateEntityId(undefined, "cpset"), provider_id })
    .onConflict(knex.raw("(provider_id) WHERE deleted_at IS NULL"))
    .merge(changed)
    .returning<{ version: number }[]>("version")
}
