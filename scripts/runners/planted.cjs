/**
 * Loaded before a runner that is a command of its own (`NODE_OPTIONS=--require`). It puts a result that is not right in
 * place of the long work of that runner. Everything else is the runner's own: it starts a Postgres, reads its options,
 * judges, prints its report, ends what it started, and answers with an exit code.
 */
const { existsSync } = require("node:fs")
const Module = require("node:module")
const path = require("node:path")

const TESTS = path.resolve(__dirname, "../../integration-tests")
const FAULT = "a fault that was planted"

/** By module, what takes the place of its exports. */
const PATCHES = {
  "crash-matrix/shop.ts": () => ({ openShop: withPostgres }),
  "crash-matrix/matrix.ts": ({ CrashMatrix }) => {
    CrashMatrix.prototype.runPlacement = async function (_placement, [{ name: flow }]) {
      this.progress.recorded.push({ flow, points: ["planted"] })
      this.progress.results.push({ flow, number: 1, side: "before", heldAt: "planted", faults: [FAULT] })
      this.onProgress(this.progress)
    }
  },
  "support/cluster/store-cluster.ts": () => ({ startCluster: withPostgres }),
  "support/cluster/unexplained.ts": () => ({
    auditCluster: async () => ({ found: 0, findings: [], incomplete: [] }),
  }),
  "chaos/run.ts": () => ({ runChaos: async () => ({ played: [], troubles: [] }) }),
  "chaos/quiet.ts": () => ({ becomeQuiet: async () => [] }),
  "chaos/audit-facts.ts": () => ({
    readFacts: async () => ({
      // Paid at the gateway, and nothing else knows of it.
      gateway: [{ payment_request_id: "planted", amount: "10.00", paid_at: "2026-01-01T00:00:00Z" }],
      ledger: [],
      orders: [],
      refunds: [],
      done: { registered: [] },
    }),
  }),
  "chaos/judge-links.ts": () => ({ judgeLinks: async () => [] }),
  "chaos/report.ts": () => ({ describeFatal: async () => FAULT }),
}

async function withPostgres() {
  const { startPostgres } = require(path.join(TESTS, "support/cluster/kept.ts"))
  const { stop } = await startPostgres()
  // A back office that nothing answers.
  return { stop, products: [], server: () => ({}), http: () => ({}), admin: () => ({}) }
}

for (const file of Object.keys(PATCHES)) {
  if (!existsSync(path.join(TESTS, file))) {
    throw new Error(`${file} has been moved or removed, so nothing can be planted in it.`)
  }
}

const load = Module.prototype.load
Module.prototype.load = function (filename) {
  load.call(this, filename)
  const patch = PATCHES[path.relative(TESTS, filename)]
  if (patch !== undefined) {
    Object.assign(this.exports, patch(this.exports))
  }
}
