const { appendFileSync } = require("node:fs")
const http = require("node:http")
const { createRequire } = require("node:module")
const path = require("node:path")
const { json } = require("node:stream/consumers")
const { setTimeout: delay } = require("node:timers/promises")
const { arm, begin, disarm, inRun, isControl, runNow } = require("./points.cjs")

const EVENTS = ["order.placed", "crypto_payment.settled", "crypto_payment.attention_required"]
/** Medusa wants a schedule. It waits by one timer, and a timer of more than 24 days fires at once. */
const FAR_AHEAD = new Date(Date.now() + 10 * 24 * 60 * 60 * 1000)
const EVERY_MINUTE = "reconcile-payment-requests.js"

/** What a held run has left to the worker keeps it busy for two minutes. */
const SETTLED_WITHIN_MS = 50_000

/** The job that Medusa would run every minute, and the plugin's worker. */
let everyMinute
let settleWorker

const COMMANDS = {
  "/begin": async () => {
    await untilWorkerIsFree()
    // A sweep of a held run never ends.
    container().resolve("cryptoPayments").runningSettles.sweeps.clear()
    begin()
  },
  "/arm": (input) => arm(input),
  /** Answers when the run is held, or over. */
  "/held": async () => ({ heldAt: (await runNow()?.told) ?? null }),
  "/disarm": () => ({ points: disarm()?.points ?? [] }),
  /** Runs the job to its end, and what it leaves to the worker. */
  "/tick": async () => {
    await inRun(async () => await everyMinute(container()))
    for (let waitedMs = 0; !settleWorker.isIdle && waitedMs < SETTLED_WITHIN_MS; waitedMs += 50) {
      await delay(50)
    }
  },
  /** Settles one due row, as that job does with each it finds. */
  "/settle": async ({ id }) =>
    await inRun(async () => await settleWorker.settleNow(container(), id, { trigger: "schedule" })),
  /** A merchant's subscriber that writes down what it hears before anything else can happen. */
  "/listen": ({ file }) => {
    const bus = container().resolve("event_bus")
    for (const event of EVENTS) {
      const write = ({ data }) => appendFileSync(file, `${JSON.stringify({ event, data })}\n`)
      bus.subscribe(event, write, { subscriberId: `crash-matrix-${event}` })
    }
  },
}

/** The plugin's jobs run when they are told to, and never during a run. */
function takeJob(job, file) {
  job.config.schedule = `0 0 ${FAR_AHEAD.getDate()} ${FAR_AHEAD.getMonth() + 1} *`
  if (file.endsWith(EVERY_MINUTE)) {
    everyMinute = job.default
  }
}

function takeWorker(worker) {
  settleWorker = worker
}

/** A run that is held while the worker leases rows keeps it until that takes too long, and no job wakes it again. */
async function untilWorkerIsFree() {
  while (settleWorker.isTaking) {
    await delay(50)
  }
}

function startControl(port) {
  const server = http.createServer((request, response) => {
    answer(request).then(
      (body) => response.end(JSON.stringify(body ?? {})),
      (error) => response.writeHead(500).end(JSON.stringify({ message: String(error) }))
    )
  })
  Object.assign(server, { [isControl]: true })
  server.listen(port, "127.0.0.1").unref()
}

async function answer(request) {
  const input = await json(request)
  return (await COMMANDS[request.url](input)) ?? {}
}

/** The container of the store that this process runs. */
function container() {
  return createRequire(path.join(process.cwd(), "index.js"))("@medusajs/framework").container
}

module.exports = { startControl, takeJob, takeWorker }
