import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import { transition } from "../payment-requests/life-cycle"
import { dueColumns, REQUESTS } from "../payment-requests/request-sql"
import type { SettingValues } from "./options-schema"

const SETTINGS = "crypto_payment_settings"
/** Which links show where the gateway sends payers now, and among how many rows they are searched. */
const LAST_LINKS = 5
const AMONG_ROWS = 500

export const NOTHING_STORED = {
  version: 0,
  updated_at: null as Date | null,
  options: {} as Partial<SettingValues>,
  secrets: {},
  /** The gateway address the secrets were given and encrypted for, so it cannot be changed alone. */
  bound_base_url: null as string | null,
}

/** Secrets are encrypted texts by name, newest first. A header without a value yet has an empty list. */
export type SavedSettings = typeof NOTHING_STORED & { secrets: Record<string, string[]> }

/** A gateway address with open requests. */
export interface FormerOrigin {
  origin: string
  open_requests: number
}

export type OpenRequests = FormerOrigin & { provider_id: string }

/** The merchant's answer about requests that were made at former origins. */
export interface OriginAnswer {
  formerOrigins: string[]
  /** The origin in use, if it is of the same account. Null for another account. */
  movesTo: string | null
}

type SettingsRow = SavedSettings & { provider_id: string }

/** Saved settings in Postgres. Contains only encrypted texts, never a decrypted secret. */
export class SettingsStore {
  constructor(private readonly knex: Knex) {}

  async readAll(): Promise<Map<string, SavedSettings>> {
    const rows = await this.knex<SettingsRow>(SETTINGS)
      .whereRaw("deleted_at IS NULL")
      .select(["provider_id", "version", "updated_at", "options", "secrets", "bound_base_url"])
    return new Map(rows.map(({ provider_id, ...row }) => [provider_id, row]))
  }

  /** @returns false when somebody saved in between: then nothing is written */
  async save(
    providerId: string,
    version: number,
    next: Partial<SavedSettings>,
    answer: OriginAnswer | null
  ): Promise<boolean> {
    return await this.knex.transaction(async (trx) => {
      const saved = await write(trx, providerId, { ...next, version: version + 1 }).where(
        `${SETTINGS}.version`,
        version
      )
      if (saved.length > 0 && answer !== null) {
        await applyAnswer(trx, providerId, answer)
      }
      return saved.length > 0
    })
  }

  /** By provider and address. */
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

/** The same account: its rows are read at the address in use. Another account: nobody offers or reads its links. */
async function applyAnswer(
  trx: Knex,
  provider_id: string,
  { formerOrigins, movesTo }: OriginAnswer
): Promise<void> {
  if (movesTo !== null) {
    const isChecked = "paid_at IS NULL AND next_check_at IS NOT NULL"
    await trx(REQUESTS)
      .where({ provider_id })
      .whereIn("gateway_origin", formerOrigins)
      .update({
        gateway_origin: movesTo,
        next_check_at: trx.raw(`CASE WHEN ${isChecked} THEN now() ELSE next_check_at END`),
        check_requested_at: trx.raw(`CASE WHEN ${isChecked} THEN now() ELSE check_requested_at END`),
        updated_at: trx.fn.now(),
      })
    return
  }
  for (const gateway_origin of formerOrigins) {
    // Due: a row that was reported as PAID gets its case, and that of an unpaid order the end of its time.
    const set = dueColumns(trx)
    const detail = { reason: "other_account" }
    await transition(trx, "given_up", { where: { provider_id, gateway_origin }, set, detail })
  }
}

/** Rows whose account is asked for when the origin changes. */
const IS_OPEN = "r.state IN ('open', 'superseded') AND r.deleted_at IS NULL"

/** Writes columns of a provider's row, or adds the row. */
function write(knex: Knex, provider_id: string, columns: Partial<SettingsRow>) {
  const changed = { ...columns, updated_at: knex.fn.now() }
  return knex<Record<string, unknown>>(SETTINGS)
    .insert({ ...NOTHING_STORED, ...changed, id: generateEntityId(undefined, "cpset"), provider_id })
    .onConflict(knex.raw("(provider_id) WHERE deleted_at IS NULL"))
    .merge(changed)
    .returning<{ version: number }[]>("version")
}
