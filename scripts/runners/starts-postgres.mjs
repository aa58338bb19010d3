import { endAfterRun } from "../../integration-tests/setup/endings.mjs"
import { startPostgres } from "../../integration-tests/support/postgres.mjs"

/** A runner's own set-up without what takes long: migrations and builds. */
export default async function globalSetup() {
  endAfterRun((await startPostgres()).stop)
}
