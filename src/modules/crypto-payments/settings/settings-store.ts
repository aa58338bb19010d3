import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import { readRow, writeRow, type SettingsRow } from "./settings-row"
import type { StoredConnection, StoredSettings } from "./stored-settings"

const SETTINGS = "crypto_payment_settings"
const CONNECTIONS = "crypto_payment_connection"
/** A row created by an instance that did not know of the change yet still needs the former connection. */
const SETTLING_IN = "1 hour"
/** Which links show where the gateway sends payers now, and among how many rows they are searched. */
const LAST_LINKS = 5
const AMONG_ROWS = 500

/** What is saved for one provider, with the connections it has left. */
export interface StoredState {
  settings: StoredSettings
  connections: StoredConnection[]
}

/** A save: the next settings, and the connection that is left by it. */
export interface SettingsChange {
  providerId: string
  /** The version the change was made from. */
  version: number
  next: Pick<StoredSettings, "options" | "secrets" | "bound_base_url">
  /** The connections left before, sealed again. */
  resealed: StoredConnection[]
  former: StoredConnection | null
  /** The origin in force from now on: no former one any more. */
  origin: string | null
}

/** Saved settings in Postgres. Contains only sealed texts, never a decrypted secret. */
export class SettingsStore {
  constructor(private readonly knex: Knex) {}

  /** Everything saved, in one statement over two small indexed tables. */
  async readAll(): Promise<Map<string, StoredState>> {
    const { rows } = await this.knex.raw<{
      rows: SettingsRow[]
    }>(
      `SELECT s.provider_id, s.version, s.updated_at, s.plain, s.secrets, s.bound_base_url,
              COALESCE((SELECT json_agg(json_build_object('origin', c.origin, 'base_url', c.base_url, 'sealed', c.sealed)
                                        ORDER BY c.created_at)
                 FROM ${CONNECTIONS} c WHERE c.provider_id = s.provider_id AND c.deleted_at IS NULL), '[]') AS connections
         FROM ${SETTINGS} s WHERE s.deleted_at IS NULL`
    )
    return new Map(
      rows.map(({ provider_id, connections, ...row }) => [
        provider_id,
        { settings: readRow(row), connections },
      ])
    )
  }

  /** @returns undefined when somebody saved in between: then nothing is written */
  async save({ providerId, version, next, ...moves }: SettingsChange): Promise<number | undefined> {
    const { plain, secrets } = writeRow(next)
    return await this.knex.transaction(async (trx) => {
      const { rows } = await trx.raw<{ rows: { version: number }[] }>(
        version === 0
          ? `INSERT INTO ${SETTINGS} (id, provider_id, version, plain, secrets, bound_base_url)
             VALUES (:id, :providerId, 1, :plain, :secrets, :bound)
             ON CONFLICT (provider_id) WHERE deleted_at IS NULL DO NOTHING RETURNING version`
          : `UPDATE ${SETTINGS} SET version = version + 1, plain = :plain, secrets = :secrets,
                    bound_base_url = :bound, updated_at = now()
              WHERE provider_id = :providerId AND version = :version AND deleted_at IS NULL RETURNING version`,
        {
          id: generateEntityId(undefined, "cpset"),
          providerId,
          version,
          plain: JSON.stringify(plain),
          secrets: JSON.stringify(secrets),
          bound: next.bound_base_url,
        } as Record<string, Knex.RawBinding>
      )
      const saved = rows[0]?.version
      if (saved !== undefined) {
        await this.moveConnections(trx, { providerId, ...moves })
      }
      return saved
    })
  }

  /** Open requests of a provider by the origin they were created at: those that are watched and not terminal. */
  async countOpen(providerId: string): Promise<Map<string, number>> {
    const { rows } = await this.knex.raw<{ rows: { origin: string; count: number }[] }>(
      `SELECT gateway_origin AS origin, count(*)::int AS count FROM crypto_payment_request r
        WHERE provider_id = ? AND ${IS_WATCHED} GROUP BY 1`,
      [providerId]
    )
    return new Map(rows.map(({ origin, count }) => [origin, count]))
  }

  /** The payment links a provider was given last at an address, the newest first. */
  async readLastLinks(providerId: string, origin: string): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { payment_link: string }[] }>(
      `SELECT payment_link
         FROM (SELECT * FROM crypto_payment_request WHERE deleted_at IS NULL
                ORDER BY created_at DESC, id DESC LIMIT ${String(AMONG_ROWS)}) newest
        WHERE provider_id = ? AND gateway_origin = ? AND payment_link IS NOT NULL
        ORDER BY created_at DESC, id DESC LIMIT ${String(LAST_LINKS)}`,
      [providerId, origin]
    )
    return rows.map(({ payment_link }) => payment_link)
  }

  /**
   * Forgets connections nothing can come of any more. A link that was never paid stays payable, so it keeps its
   * connection, also when no check of it is planned: its notification has to be verified and read. @returns how many
   */
  async dropUnusedConnections(): Promise<number> {
    return await this.knex(`${CONNECTIONS} as c`)
      .whereRaw(`c.updated_at < now() - interval '${SETTLING_IN}'`)
      .whereRaw(
        `NOT EXISTS (SELECT 1 FROM crypto_payment_request r
                      WHERE r.provider_id = c.provider_id AND r.gateway_origin = c.origin AND ${MAY_BE_PAID})`
      )
      .delete()
  }

  /** Forgets a connection although rows may need it. @returns whether there was one */
  async dropConnection(providerId: string, origin: string): Promise<boolean> {
    return (await this.knex(CONNECTIONS).where({ provider_id: providerId, origin }).delete()) > 0
  }

  private async moveConnections(
    trx: Knex,
    {
      providerId,
      resealed,
      former,
      origin,
    }: Pick<SettingsChange, "providerId" | "resealed" | "former" | "origin">
  ): Promise<void> {
    for (const { origin: left, base_url, sealed } of resealed) {
      await trx(CONNECTIONS).where({ provider_id: providerId, origin: left, base_url }).update({ sealed })
    }
    if (former !== null) {
      await trx.raw(
        `INSERT INTO ${CONNECTIONS} (id, provider_id, origin, base_url, sealed) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (provider_id, origin) WHERE deleted_at IS NULL
         DO UPDATE SET base_url = EXCLUDED.base_url, sealed = EXCLUDED.sealed, updated_at = now()`,
        [generateEntityId(undefined, "cpcon"), providerId, former.origin, former.base_url, former.sealed]
      )
    }
    if (origin !== null) {
      await trx(CONNECTIONS).where({ provider_id: providerId, origin }).delete()
    }
  }
}

const MAY_BE_PAID = `r.paid_at IS NULL AND r.payment_request_id IS NOT NULL AND r.deleted_at IS NULL`

/** The rows a check is still planned for, and that something can still come of. */
const IS_WATCHED = `r.next_check_at IS NOT NULL AND r.settled_at IS NULL AND r.state <> 'refunded'
  AND r.payment_request_id IS NOT NULL AND r.deleted_at IS NULL`
