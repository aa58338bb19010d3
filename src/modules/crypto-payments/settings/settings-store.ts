import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { dueColumns, REQUESTS } from "../payment-requests/request-sql"
import type { SettingValues } from "./options-schema"

const SETTINGS = "crypto_payment_settings"
/** Which links show where the gateway sends payers now, and among how many rows they are searched. */
const LAST_LINKS = 5
const AMONG_ROWS = 500

/** Of the provider's account, whose address has changed, or of another account. */
export type WhoseRequests = "same_account" | "another_account"

export const NOTHING_STORED = {
  version: 0,
  updated_at: null as Date | null,
  options: {} as Partial<SettingValues>,
  secrets: {},
  /** The gateway address the secrets were given and encrypted for, so it cannot be changed alone. */
  bound_base_url: null as string | null,
  /** The admin user's answer about each former origin that had open requests. */
  former_origins: {} as Record<string, WhoseRequests>,
  /** The name of the account in use after the first one; null for the first. */
  gateway_account: null as string | null,
}

/** Secrets are encrypted texts by name, newest first. A header without a value yet has an empty list. */
export type SavedSettings = typeof NOTHING_STORED & { secrets: Record<string, string[]> }

/** A former gateway address with open requests whose account nobody has named. */
export interface FormerOrigin {
  origin: string
  open_requests: number
}

export type OpenRequests = FormerOrigin & { provider_id: string }

type SettingsRow = SavedSettings & { provider_id: string }

/** Saved settings in Postgres. Contains only encrypted texts, never a decrypted secret. */
export class SettingsStore {
  constructor(private readonly knex: Knex) {}

  async readAll(): Promise<Map<string, SavedSettings>> {
    const rows = await this.knex<SettingsRow>(SETTINGS)
      .whereRaw("deleted_at IS NULL")
      .select(["provider_id", "version", "updated_at", "options", "secrets"])
      .select(["bound_base_url", "former_origins", "gateway_account"])
    return new Map(rows.map(({ provider_id, ...row }) => [provider_id, row]))
  }

  /**
   * @param answered the former origins that the new settings answer about: their requests become due
   * @returns false when somebody saved in between: then nothing is written
   */
  async save(
    providerId: string,
    version: number,
    next: Partial<SavedSettings>,
    answered: string[]
  ): Promise<boolean> {
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
   * A new payment of the provider has an id that its account already has from another address. A new creation cannot
   * return an old id, so the provider uses another account now. The row under creation and all later ones belong to it.
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

  /** By the origin at which they were created: checked and not paid, offered or not. */
  async countOpen(): Promise<OpenRequests[]> {
    const { rows } = await this.knex.raw<{ rows: OpenRequests[] }>(
      `SELECT provider_id, gateway_origin AS origin, count(*)::int AS open_requests FROM ${REQUESTS} r
        WHERE ${IS_OPEN} GROUP BY 1, 2 ORDER BY 1, 2`
    )
    return rows
  }

  /** The provider's last payment links at an address, newest first. */
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

/** `pp_crypto_default` is followed by `pp_crypto_default#2`. */
export function nextAccount(account: string): string {
  const [, name = account, count = "1"] = /^(.*)#(\d+)$/.exec(account) ?? []
  return `${name}#${String(Number(count) + 1)}`
}

/** Rows whose account is asked for when the origin changes. A closed link that is checked can still be paid. */
const IS_OPEN = `r.next_check_at IS NOT NULL AND r.paid_at IS NULL
  AND r.payment_request_id IS NOT NULL AND r.deleted_at IS NULL`

/** Writes columns of a provider's row, or adds the row. */
function write(knex: Knex, provider_id: string, columns: Partial<SettingsRow>) {
  const changed = { ...columns, updated_at: knex.fn.now() }
  return knex<Record<string, unknown>>(SETTINGS)
    .insert({ ...NOTHING_STORED, ...changed, id: generateEntityId(undefined, "cpset"), provider_id })
    .onConflict(knex.raw("(provider_id) WHERE deleted_at IS NULL"))
    .merge(changed)
    .returning<{ version: number }[]>("version")
}
