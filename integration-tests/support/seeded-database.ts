import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { Client } from "pg"

const { DB_HOST = "localhost", DB_PORT = "5432", DB_USERNAME = "postgres", DB_PASSWORD = "" } = process.env
/** A test that wrote more than this gets a new database: deleting so many rows would take longer. */
const MUCH_BYTES = 32 * 1024 ** 2

/** The tables and what belongs to them, as one short text. */
const SHAPE = `
  SELECT md5(string_agg(line, '\\n' ORDER BY line)) AS shape
    FROM (SELECT concat_ws(' ', relkind, relname) AS line FROM pg_class WHERE relnamespace = 'public'::regnamespace
          UNION ALL
          SELECT concat_ws(' ', relname, attname, atttypid, attnotnull) FROM pg_attribute
            JOIN pg_class ON pg_class.oid = attrelid WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
          UNION ALL
          SELECT concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
            WHERE connamespace = 'public'::regnamespace
          UNION ALL
          SELECT concat_ws(' ', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger WHERE NOT tgisinternal
          UNION ALL
          SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace) AS lines`

/**
 * A database that goes back to its seeded state before each test. Its rows are put back over the connections that the
 * store has; only after a test that changed tables, or wrote very much, is the whole database made anew.
 */
export class SeededDatabase {
  private shape = ""
  private bytes = 0
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
    await maintenance.query(
      `CREATE DATABASE "${name}" TEMPLATE "${String(process.env["MIGRATED_DATABASE"])}"`
    )
    return database
  }

  /** From now on `restore` leads back to what the database holds now. */
  async keep(): Promise<void> {
    const client = new Client({ connectionString: this.url })
    await client.connect()
    await client.query(await writeRestoring(client))
    await client.query("ANALYZE")
    Object.assign(this, await this.look(client))
    await client.end()
    await this.copy(this.name, this.template)
  }

  /** @throws that Postgres has ended, and not one of the ways in which a test fails then */
  requirePostgres(): void {
    if (this.ended !== undefined) {
      throw this.ended
    }
  }

  async restore(knex: Knex): Promise<void> {
    this.requirePostgres()
    const { shape, bytes } = await this.look(knex)
    if (shape === this.shape && bytes < this.bytes + MUCH_BYTES) {
      await knex.raw("SELECT seeded.restore()")
      return
    }
    await this.maintenance.query(`DROP DATABASE "${this.name}" WITH (FORCE)`)
    await this.copy(this.template, this.name)
  }

  async drop(): Promise<void> {
    if (this.ended !== undefined) {
      return
    }
    await this.maintenance.query(`DROP DATABASE "${this.name}" WITH (FORCE)`)
    await this.maintenance.query(`DROP DATABASE "${this.template}" WITH (FORCE)`)
    await this.maintenance.end()
  }

  private get template(): string {
    return `${this.name}_seeded`
  }

  private async look(database: Client | Knex): Promise<{ shape: string; bytes: number }> {
    const sql = `SELECT shape, pg_database_size(current_database())::float AS bytes FROM (${SHAPE}) AS found`
    const { rows } = await ("raw" in database ? database.raw(sql) : database.query(sql))
    return (rows as [{ shape: string; bytes: number }])[0]
  }

  private async copy(from: string, to: string): Promise<void> {
    await this.maintenance.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1",
      [from]
    )
    await this.maintenance.query(`CREATE DATABASE "${to}" TEMPLATE "${from}"`)
  }
}

function addressOf(database: string): string {
  const user = `${encodeURIComponent(DB_USERNAME)}:${encodeURIComponent(DB_PASSWORD)}`
  return `postgres://${user}@${DB_HOST}:${DB_PORT}/${database}`
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
    ${keeping.join("\n")}
    CREATE FUNCTION seeded.restore() RETURNS void LANGUAGE plpgsql SET session_replication_role = replica AS $restore$
    BEGIN
      ${putBack.join("\n      ")}
    END $restore$;`
}
