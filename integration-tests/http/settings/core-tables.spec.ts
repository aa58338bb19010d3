import CORE_COLUMNS from "../../support/core-columns.json"
import { describeStore } from "../../support/store-under-test"

// Every table and column of core's that the ledger's SQL names. `npm run test:install-matrix` looks for them
// in other versions of Medusa.
describeStore("core's tables", (store) => {
  it.each(Object.entries(CORE_COLUMNS))("%s has the columns the ledger reads", async (table, columns) => {
    const rows = await store
      .knex("information_schema.columns")
      .where({ table_schema: "public", table_name: table })
      .pluck("column_name")
    expect(rows).toEqual(expect.arrayContaining(columns))
  })
})
