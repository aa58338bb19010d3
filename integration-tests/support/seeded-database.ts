import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { Client } from "pg"

const addressOf = (database: string): string =>
  Object.assign(new URL(String(process.env["POSTGRES_OF_TESTS"])), { pathname: database }).href

/** @returns its address */
export async function createDatabase(name: string): Promise<string> {
  await maintain(`CREATE DATABASE "${name}"`)
  return addressOf(name)
}

export async function dropDatabase(name: string): Promise<void> {
  await maintain(`DROP DATABASE "${name}" WITH (FORCE)`)
}

async function maintain(sql: string): Promise<void> {
  const client = new Client({ connectionString: addressOf("postgres") })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** From now on `restoreRows` leads back to what the database holds now. */
export async function keepRows(knex: Knex): Promise<void> {
  await knex.raw(await writeRestoring(knex))
  await knex.raw("ANALYZE")
}

/** The functions that a test made go, with their triggers; what else it did to tables, it has to undo. */
export async function restoreRows(knex: Knex): Promise<void> {
  await knex.raw("SELECT seeded.restore()")
}

/** SQL that keeps the rows of every table in the schema `seeded`, with a function that puts them back. */
async function writeRestoring(knex: Knex): Promise<string> {
  const tables = await knex.raw<{ rows: { name: string; columns: string }[] }>(`
    SELECT quote_ident(table_name) AS name, string_agg(quote_ident(column_name), ', ') AS columns
      FROM information_schema.tables JOIN information_schema.columns USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
     GROUP BY table_name ORDER BY table_name`)
  const sequences = await knex.raw<{ rows: { name: string; value: string | null }[] }>(`
    SELECT quote_literal('public.' || quote_ident(sequencename)) AS name, last_value AS value
      FROM pg_sequences WHERE schemaname = 'public'`)
  const keeping: string[] = []
  const putBack: string[] = []
  for (const { name, columns } of tables.rows) {
    putBack.push(`IF EXISTS (SELECT FROM public.${name}) THEN DELETE FROM public.${name}; END IF;`)
    const { rows } = await knex.raw<{ rows: unknown[] }>(`SELECT FROM public.${name} LIMIT 1`)
    if (rows.length > 0) {
      keeping.push(`CREATE TABLE seeded.${name} AS TABLE public.${name};`)
      putBack.push(
        `INSERT INTO public.${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM seeded.${name};`
      )
    }
  }
  for (const { name, value } of sequences.rows) {
    putBack.push(`PERFORM setval(${name}, ${value ?? "1"}, ${String(value !== null)});`)
  }
  return `
    CREATE SCHEMA seeded;
    CREATE TABLE seeded.functions AS SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace;
    ${keeping.join("\n")}
    CREATE FUNCTION seeded.restore() RETURNS void LANGUAGE plpgsql SET session_replication_role = replica AS $restore$
    DECLARE made regprocedure;
    BEGIN
      FOR made IN
        SELECT oid FROM pg_proc
         WHERE pronamespace = 'public'::regnamespace AND oid NOT IN (SELECT oid FROM seeded.functions)
      LOOP
        EXECUTE format('DROP FUNCTION %s CASCADE', made);
      END LOOP;
      ${putBack.join("\n      ")}
    END $restore$;`
}
