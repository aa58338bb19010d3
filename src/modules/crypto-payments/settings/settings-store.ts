import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import { transition } from "../payment-requests/life-cycle"
import { dueColumns, REQUESTS } from "../payment-requests/request-sql"
import { originInUse, type StoredSettings } from "./effective-settings"
import { readEncryptionKeys } from "./encryption-keys"
import type { Registration } from "./options-schema"

const SETTINGS = "crypto_payment_settings"

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

/** As it is stored: each secret is an encrypted text. */
interface SettingsRow extends Omit<StoredSettings, "secrets"> {
  provider_id: string
  secrets: Record<string, string[]>
}

/** Saved settings in Postgres. Only here, secrets are encrypted and decrypted. */
export class SettingsStore {
  constructor(private readonly knex: Knex) {}

  /** A secret is opened for the address in use only, so it is never sent to another one. */
  async readAll(registrations: Map<string, Registration>): Promise<Map<string, StoredSettings>> {
    const keys = readEncryptionKeys()
    const rows = await this.knex<SettingsRow>(SETTINGS)
      .whereRaw("deleted_at IS NULL")
      .select(["provider_id", "version", "updated_at", "values", "secrets"])
    return new Map(
      rows.map(({ provider_id: providerId, secrets, ...row }) => {
        const origin = originInUse(registrations.get(providerId), row.values)
        const opened = changeEach(secrets, (sealed, field) =>
          keys.open(sealed, { providerId, field, origin })
        )
        return [providerId, { ...row, secrets: opened }]
      })
    )
  }

  /**
   * Encrypts all secrets with the current key, for the address that is in use then: so a save rotates the key. One that
   * cannot be opened stays as it is.
   *
   * @returns false when somebody saved in between: then nothing is written
   */
  async save(
    registration: Registration,
    { version, values, secrets }: StoredSettings,
    answer: OriginAnswer | null
  ): Promise<boolean> {
    const keys = readEncryptionKeys()
    const { providerId } = registration
    const origin = originInUse(registration, values)
    const sealed = changeEach(secrets, (secret, field) =>
      typeof secret === "string" ? keys.seal(secret, { providerId, field, origin }) : secret.sealed
    )
    return await this.knex.transaction(async (trx) => {
      const columns = { version: version + 1, values, secrets: sealed, updated_at: trx.fn.now() }
      const [saved] = await trx<Record<string, unknown>>(SETTINGS)
        .insert({ ...columns, id: generateEntityId(undefined, "cpset"), provider_id: providerId })
        .onConflict(trx.raw("(provider_id) WHERE deleted_at IS NULL"))
        .merge(columns)
        .where(`${SETTINGS}.version`, version)
        .returning("id")
      if (saved !== undefined && answer !== null) {
        await applyAnswer(trx, providerId, answer)
      }
      return saved !== undefined
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

/** Each secret in another form, by field. */
function changeEach<From, To>(secrets: Record<string, From[]>, change: (one: From, field: string) => To) {
  return Object.fromEntries(
    Object.entries(secrets).map(([field, all]) => [field, all.map((one) => change(one, field))])
  )
}
