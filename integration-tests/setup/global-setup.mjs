import { randomBytes } from "node:crypto"

import "./clean-environment.js"
import { migrateStore, query, startMigratedPostgres } from "../support/postgres.mjs"
import { endAfterRun } from "./endings.mjs"

/**
 * Gives the integration tests a Postgres, unless the developer named one through DATABASE_URL or DB_*. MIGRATED_DATABASE
 * is the database with the store's tables that every store under test starts with a copy of.
 */
export default async function globalSetup() {
  process.env["MEDUSA_DISABLE_TELEMETRY"] = "1"
  if (process.env["DATABASE_URL"]) {
    useUrl(new URL(process.env["DATABASE_URL"]))
  }
  if (process.env["DB_HOST"] || process.env["DB_PORT"]) {
    await migrateDatabaseOfOwn()
    return
  }
  const postgres = await startMigratedPostgres()
  endAfterRun(postgres.stop)
  Object.assign(process.env, {
    DB_HOST: postgres.host,
    DB_PORT: String(postgres.port),
    DB_USERNAME: postgres.user,
    DB_PASSWORD: postgres.password,
    MIGRATED_DATABASE: "template1",
  })
}

/** The developer's databases are left alone. */
async function migrateDatabaseOfOwn() {
  const name = `medusa_payment_crypto_${randomBytes(4).toString("hex")}`
  const { DB_HOST = "localhost", DB_PORT = "5432", DB_USERNAME = "postgres", DB_PASSWORD = "" } = process.env
  const login = `${encodeURIComponent(DB_USERNAME)}:${encodeURIComponent(DB_PASSWORD)}`
  const url = (database) => `postgres://${login}@${DB_HOST}:${DB_PORT}/${database}`
  await query(url("postgres"), `CREATE DATABASE "${name}"`)
  endAfterRun(() => query(url("postgres"), `DROP DATABASE "${name}" WITH (FORCE)`))
  await migrateStore(url(name))
  process.env["MIGRATED_DATABASE"] = name
}

function useUrl(url) {
  Object.assign(process.env, {
    DB_HOST: url.hostname,
    DB_PORT: url.port || "5432",
    DB_USERNAME: decodeURIComponent(url.username),
    DB_PASSWORD: decodeURIComponent(url.password),
  })
}
