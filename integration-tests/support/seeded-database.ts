import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { Client } from "pg"

const addressOf = (database: string): string =>
  Object.assign(new URL(String(process.env["POSTGRES_OF_TESTS"])), { pathname: database }).href

/**
 * A database that goes back to its seeded state before each test: its rows are put back over the connections that the
 * store has. The functions that a test made go, with their triggers; what else it did to tables, it has to undo.
 */
export class SeededDatabase {
  private ended: Error | undefined

  private constructor(
    private readonly name: string,
    private readonly maintenance: Client
  ) {
    maintenance.on("error", ({ message }) => {
      this.ended ??= new Error(`Postgres has ended: ${message}`)
    })
  }

  get url(): string {
    return addressOf(this.name)
  }

  static async create(name: string): Promise<SeededDatabase> {
    const maintenance = new Client({ connectionString: addressOf("postgres") })
    const database = new SeededDatabase(name, maintenance)
    await maintenance.connect()
    await maintenance.query(`CREATE DATABASE "${name}"`)
    return database
  }

  /** From now on `restore` leads back to what the database holds now. */
  async keep(): Promise<void> {
    const client = new Client({ connectionString: this.url })
    await client.connect()
    await client.query(await writeRestoring(client))
    await client.query("ANALYZE")
    await client.end()
  }

  /** @throws that Postgres has ended, and not one of the ways in which a test fails then */
  requirePostgres(): void {
    if (this.ended !== undefined) {
      throw this.ended
    }
  }

  async restore(knex: Knex): Promise<void> {
    this.requirePostgres()
    await knex.raw("SELECT seeded.restore()")
  }

  async drop(): Promise<void> {
    if (this.ended !== undefined) {
      return
    }
    await this.maintenance.query(`DROP DATABASE "${this.name}" WITH (FORCE)`)
    await this.maintenance.end()
  }
}

/** SQL that keeps the rows of every table in the schema `seeded`, with a function that puts them back. */
async function writeRestoring(client: Client): Promise<string> {
  const tables = await client.query<{ name: string; columns: string }>(`
    SELECT quote_ident(table_name) AS name, string_agg(quote_ident(column_name), ', ') AS columns
      FROM information_schema.tables JOIN information_schema.columns USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
     GROUP BY table_name ORDER BY table_name`)
  const sequences = await client.query<{ name: string; value: string | null }>(`
    SELECT quote_literal('public.' || quote_ident(sequencename)) AS name, last_value AS value
      FROM pg_sequences WHERE schemaname = 'public'`)
  const keeping: string[] = []
  const putBack: string[] = []
  for (const { name, columns } of tables.rows) {
    putBack.push(`IF EXISTS (SELECT FROM public.${name}) THEN DELETE FROM public.${name}; END IF;`)
    const { rowCount } = await client.query(`SELECT FROM public.${name} LIMIT 1`)
    if (rowCount === 1) {
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
