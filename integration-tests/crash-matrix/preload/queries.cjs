const { holdAnswer, takeTurn } = require("./points.cjs")

/** The first words of a write. `FOR UPDATE` is none. */
const WRITE =
  /(?<!\bfor\s+)\b(insert\s+into|update|delete\s+from|truncate(?:\s+table)?)\s+(?:only\s+)?(?:"public"\.|public\.)?"?([a-z_]+)"?/i
const MAY_WRITE = /^\s*(?:insert|update|delete|truncate|with)\b/i
const BEGIN = /^\s*(?:begin|start\s+transaction)\b/i
const COMMIT = /^\s*(?:commit|end)\b/i
const ROLLBACK = /^\s*rollback\s*;?\s*$/i
const SET = /\bset\s+(.+?)(?:\s+(?:where|from|returning)\b|$)/is
const ASSIGNED = /(?:^|,)\s*"?([a-z_]+)"?\s*=/gi
/** A new connection is set up by whoever waited for one first, and then used by anybody. */
const SET_UP = /^\s*(?:set\s+search_path\b|select\s+version\(\))/i
const MOST_NAMES = 4
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
    const point = namePoint(this, sql)
    const turn = takeTurn(point)
    if (turn === "hold") {
      return hears(args) ? undefined : never()
    }
    if (turn === "hold_answer") {
      const answered = holdAnswer(point)
      const index = args.findIndex((arg) => typeof arg === "function")
      if (index >= 0) {
        args[index] = answered
        return query.apply(this, args)
      }
      query.apply(this, args).then(answered, answered)
      return never()
    }
    return query.apply(this, args)
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
    return COMMIT.test(sql) && tables !== undefined && tables.size > 0 ? `COMMIT ${list([...tables])}` : null
  }
  const [, verb, table] = (MAY_WRITE.test(sql) && WRITE.exec(sql)) || []
  if (verb === undefined || table === undefined) {
    return null
  }
  if (tables !== undefined) {
    tables.add(table)
    return null
  }
  const columns = /^update$/i.test(verb) ? ` (${nameColumns(sql.slice(sql.indexOf(table)))})` : ""
  return `${verb.split(/\s/)[0]?.toUpperCase() ?? ""} ${table}${columns}`
}

/** What an update sets, so that one of a table can be told from another. */
function nameColumns(sql) {
  const [, assignments = ""] = SET.exec(sql) ?? []
  return list([...new Set([...assignments.matchAll(ASSIGNED)].map(([, column = ""]) => column))])
}

function list(names) {
  const more = names.length - MOST_NAMES
  return `${names.slice(0, MOST_NAMES).join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}`
}

const hears = (args) => args.some((arg) => typeof arg === "function")
const never = () => new Promise(() => undefined)

module.exports = { holdQueries }
