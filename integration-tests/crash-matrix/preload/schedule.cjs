const { afterLoading } = require("./after-loading.cjs")

/** Medusa wants a schedule. It waits by one timer, and a timer of more than 24 days fires at once. */
const FAR_AHEAD_MS = 10 * 24 * 60 * 60 * 1000
const JOBS = /\.medusa[/\\]server[/\\]src[/\\]jobs[/\\][a-z-]+\.js$/
const EVERY_MINUTE = /[/\\]jobs[/\\]reconcile-payment-requests\.js$/
const WORKER = /\.medusa[/\\]server[/\\]src[/\\]workflows[/\\]settle-worker\.js$/

/** @type {((container: unknown) => Promise<void>) | undefined} */
let everyMinute
/** @type {{ settleNow(container: unknown, id: string, asked: { trigger: string }): Promise<unknown> } | undefined} */
let settleWorker

/** The plugin's jobs run when they are told to, and never during a run. */
function keepFromSchedule() {
  const day = new Date(Date.now() + FAR_AHEAD_MS)
  const once = `0 0 ${day.getDate()} ${day.getMonth() + 1} *`
  afterLoading(JOBS, (exported) => (exported.config.schedule = once))
  afterLoading(EVERY_MINUTE, (exported) => (everyMinute = exported.default))
  afterLoading(WORKER, (exported) => (settleWorker = exported.settleWorker))
}

/**
 * Runs the job that Medusa would run every minute, to its end.
 *
 * @param {unknown} container
 */
async function runSchedule(container) {
  if (everyMinute === undefined) {
    throw new Error("this process has not loaded the plugin's job")
  }
  await everyMinute(container)
}

/**
 * Settles one due row, as that job does with each it finds.
 *
 * @param {unknown} container
 * @param {string} id
 */
async function settleOne(container, id) {
  if (settleWorker === undefined) {
    throw new Error("this process has not loaded the plugin's worker")
  }
  await settleWorker.settleNow(container, id, { trigger: "schedule" })
}

module.exports = { keepFromSchedule, runSchedule, settleOne }
