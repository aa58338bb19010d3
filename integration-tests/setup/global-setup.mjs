import "./clean-environment.js"
import { startMigratedPostgres } from "../support/postgres.mjs"
import { endAfterRun } from "./endings.mjs"

/** Gives the integration tests a Postgres: each database that is created there has the store's tables. */
export default async function globalSetup() {
  process.env["MEDUSA_DISABLE_TELEMETRY"] = "1"
  const postgres = await startMigratedPostgres()
  endAfterRun(postgres.stop)
  process.env["POSTGRES_OF_TESTS"] = postgres.url("postgres")
}
