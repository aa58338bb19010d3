const { appendFileSync } = require("node:fs")
const http = require("node:http")
const { createRequire } = require("node:module")
const path = require("node:path")
const { arm, begin, disarm, inRun, isControl, runNow } = require("./points.cjs")
const { runSchedule, settleOne } = require("./schedule.cjs")

const EVENTS = ["order.placed", "crypto_payment.settled", "crypto_payment.attention_required"]
const LOCALHOST = "127.0.0.1"

/** @type {Record<string, (input: any) => unknown>} */
const COMMANDS = {
  "/begin": () => begin(),
  "/arm": (input) => arm(input),
  /** Answers when the run is held, or over. */
  "/held": async () => ({ heldAt: (await runNow()?.told) ?? null }),
  "/disarm": () => ({ points: disarm()?.points ?? [] }),
  "/tick": async () => await inRun(async () => await runSchedule(container())),
  "/settle": async ({ id }) => await inRun(async () => await settleOne(container(), id)),
  /** A merchant's subscriber that writes down what it hears before anything else can happen. */
  "/listen": ({ file }) => {
    const bus = container().resolve("event_bus")
    for (const event of EVENTS) {
      bus.subscribe(
        event,
        (/** @type {{ data: unknown }} */ { data }) =>
          appendFileSync(file, `${JSON.stringify({ event, data })}\n`),
        { subscriberId: `crash-matrix-${event}` }
      )
    }
  },
}

/** @param {number} port */
function startControl(port) {
  const server = http.createServer((request, response) => {
    answer(request).then(
      (body) => response.end(JSON.stringify(body ?? {})),
      (error) => response.writeHead(500).end(JSON.stringify({ message: String(error) }))
    )
  })
  Object.assign(server, { [isControl]: true })
  server.listen(port, LOCALHOST).unref()
}

/** @param {http.IncomingMessage} request */
async function answer(request) {
  const chunks = []
  for await (const chunk of request) {
    chunks.push(chunk)
  }
  const command = COMMANDS[request.url ?? ""]
  if (command === undefined) {
    throw new Error(`there is no command ${String(request.url)}`)
  }
  return await command(JSON.parse(Buffer.concat(chunks).toString() || "{}"))
}

/** The container of the store that this process runs. */
function container() {
  return createRequire(path.join(process.cwd(), "index.js"))("@medusajs/framework").container
}

module.exports = { startControl }
