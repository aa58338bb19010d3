/** Ends what `global-setup.mjs` started; a Postgres of the developer's own is left alone. */
export default async function globalTeardown() {
  await /** @type {import("../support/postgres.mjs").PostgresHolder} */ (globalThis).testPostgres?.stop()
}
