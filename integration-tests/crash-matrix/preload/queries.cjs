const { takeTurn } = require("./points.cjs")

/** The first words of a write. `FOR UPDATE` is none. */
const WRITE =
  /(?<!\bfor\s+)\b(?:insert\s+into|update|delete\s+from|truncate(?:\s+table)?)\s+(?:only\s+)?(?:"public"\.|public\.)?"?([a-z_]+)"?/i
const MAY_WRITE = /^\s*(?:insert|update|delete|truncate|with)\b/i
const BEGIN = /^\s*(?:begin|start\s+transaction)\b/i
const COMMIT = /^\s*(?:commit|end)\b/i
const ROLLBACK = /^\s*rollback\s*;?\s*$/i
/** A new connection is set up by whoever waited for one first, and then used by anybody. */
const SET_UP = /^\s*(?:set\s+search_path\b|select\s+version\(\))/i
/** Of the statement: enough to tell one write of a table from another. */
const NAME_LENGTH = 120
const written = Symbol("tables written since BEGIN")

/**
 * Each write that Postgres is asked for is a point. What is written inside a transaction is kept with its COMMIT: before
 * that, a crash leaves nothing of it.
 */
function holdQueries(Client) {
  const query = Client.prototype.query
  Client.prototype.query = function (...args) {
    const sql = textOf(args[0])
    if (SET_UP.test(sql)) {
      return query.apply(this, args)
    }
    const turn = takeTurn(namePoint(this, sql))
    if (turn === "go") {
      return query.apply(this, args)
    }
    // A query is answered to the function that it was given, or by a promise.
    const place = args.findIndex((arg) => typeof arg === "function")
    if (turn !== "hold" && place >= 0) {
      query.apply(this, args.with(place, turn))
    } else if (turn !== "hold") {
      query.apply(this, args).then(turn, turn)
    }
    return place >= 0 ? undefined : new Promise(() => undefined)
  }
}

/** Of a text, a configuration or a query object. */
const textOf = (config) => (typeof config === "string" ? config : String(config?.text ?? ""))

function namePoint(client, sql) {
  if (BEGIN.test(sql)) {
    client[written] = new Set()
    return null
  }
  const tables = client[written]
  if (COMMIT.test(sql) || ROLLBACK.test(sql)) {
    client[written] = undefined
    return COMMIT.test(sql) && tables !== undefined && tables.size > 0
      ? `COMMIT ${[...tables].join(", ")}`
      : null
  }
  const [, table] = (MAY_WRITE.test(sql) && WRITE.exec(sql)) || []
  if (table === undefined) {
    return null
  }
  tables?.add(table)
  return tables === undefined ? sql.replace(/\s+/g, " ").trim().slice(0, NAME_LENGTH) : null
}

module.exports = { holdQueries }
