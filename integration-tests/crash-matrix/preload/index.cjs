// Preloaded into a store (`node --require`): lets the crash matrix hold this process at a point of its choice, run its
// schedule, and hear its events. It changes nothing in what the store does until a point is reached.
const { afterLoading } = require("./after-loading.cjs")
const { startControl } = require("./control.cjs")
const { holdGatewayCalls } = require("./gateway-calls.cjs")
const { tagRequests } = require("./points.cjs")
const { holdQueries } = require("./queries.cjs")
const { keepFromSchedule } = require("./schedule.cjs")

/** What is held keeps its connections and its place in the plugin's worker, and the runs after it need others. */
const MOST_CONNECTIONS = 120
const MOST_SETTLES = 100

const port = process.env["CRASH_CONTROL_PORT"]
// What starts the store inherits the preload, and is no store.
if (port && process.argv[2] === "start") {
  afterLoading("/pg/lib/client.js", (Client) => holdQueries(Client))
  afterLoading("/undici/lib/dispatcher/pool.js", (Pool) => holdGatewayCalls(Pool))
  afterLoading("/knex/lib/client.js", (Client) => {
    Client.prototype.poolDefaults = () => ({ min: 2, max: MOST_CONNECTIONS, propagateCreateError: true })
  })
  afterLoading(/[/\\]workflows[/\\]settle-worker\.js$/, ({ SettleWorker }) => {
    SettleWorker.prototype.places = () => MOST_SETTLES
  })
  keepFromSchedule()
  tagRequests()
  startControl(Number(port))
}
