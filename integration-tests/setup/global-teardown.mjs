/** Ends what `global-setup.mjs` started; a Postgres of the developer's own is left alone. */
export default async function globalTeardown() {
  /** @type {import("../support/postgres.mjs").PostgresHolder} */
  const holder = globalThis
  await holder.testPostgres?.stop()
}
