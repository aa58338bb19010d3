import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** The statements the store sends while `work` runs, BEGIN and COMMIT included. */
export async function statementsDuring(knex: Knex, work: () => Promise<void>): Promise<string[]> {
  const sent: string[] = []
  const listen = ({ sql }: { sql: string }): void => {
    sent.push(sql)
  }
  knex.on("query", listen)
  try {
    await work()
  } finally {
    knex.off("query", listen)
  }
  return sent
}
