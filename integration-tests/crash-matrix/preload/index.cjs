// Loaded into each process of the store before Medusa: changes nothing of what the store does until a point is reached.
const Module = require("node:module")
const { startControl, takeJob, takeWorker } = require("./control.cjs")
const { holdGatewayCalls } = require("./gateway-calls.cjs")
const { inNoRun, tagRequests } = require("./points.cjs")
const { holdQueries } = require("./queries.cjs")

/** What is held keeps its connections, and the runs after it need others. */
const MOST_CONNECTIONS = 120

/** What is changed of a file's exports before anybody has them, by how its path ends. */
const CHANGES = [
  [/\/pg\/lib\/client\.js$/, holdQueries],
  [/\/undici\/lib\/dispatcher\/pool\.js$/, holdGatewayCalls],
  [
    /\/knex\/lib\/client\.js$/,
    (Client) => {
      Client.prototype.poolDefaults = () => ({ min: 2, max: MOST_CONNECTIONS, propagateCreateError: true })
    },
  ],
  [/[/\\]workflows[/\\]settle-worker\.js$/, ({ settleWorker }) => takeWorker(settleWorker)],
  [
    /[/\\]settings-registry\.js$/,
    ({ SettingsRegistry: { prototype } }) => {
      // Runs share a reading of the settings, and a timer of a held run may begin one at any time.
      const { read } = prototype
      prototype.read = function () {
        return inNoRun(() => read.call(this))
      }
    },
  ],
  [/\.medusa[/\\]server[/\\]src[/\\]jobs[/\\][a-z-]+\.js$/, takeJob],
]

const port = process.env["CRASH_CONTROL_PORT"]
// What starts the store inherits the preload, and is no store.
if (port && process.argv[2] === "start") {
  const load = Module._extensions[".js"]
  Module._extensions[".js"] = (module, file) => {
    load(module, file)
    for (const [path, change] of CHANGES) {
      if (path.test(file)) {
        change(module.exports, file)
      }
    }
  }
  tagRequests()
  startControl(Number(port))
}
