import type { Knex } from "@medusajs/framework/mikro-orm/knex"

export async function postgresVersion(knex: Knex): Promise<string> {
  const { rows } = await knex.raw<{ rows: [{ server_version: string }] }>("SHOW server_version")
  return rows[0].server_version
}
