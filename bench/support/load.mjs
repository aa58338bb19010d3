// Sends notifications as fast as they are answered, in a process of its own so that what it takes is not taken from
// the store's. Reads one JSON line from stdin, writes one to stdout.
import { text } from "node:stream/consumers"
import autocannon from "autocannon"

/** @type {{url: string, bodies: string[], amount: number, connections: number}} */
const { url, bodies, amount, connections } = JSON.parse(await text(process.stdin))

let next = 0
// autocannon ends with its next sample, up to a second late: the last answer is the end.
let startedAt = 0
let endedAt = 0
const run = autocannon({
  url,
  amount,
  connections,
  requests: [
    {
      method: "POST",
      headers: { "content-type": "application/json" },
      // In turns over all connections: each body is sent as often as the others.
      setupRequest: (request) => ({ ...request, body: bodies[next++ % bodies.length] }),
    },
  ],
})
run.on("start", () => (startedAt = performance.now()))
run.on("response", () => (endedAt = performance.now()))
const result = await run
const seconds = (endedAt - startedAt) / 1000
process.stdout.write(
  JSON.stringify({
    perSecond: result.requests.total / seconds,
    seconds,
    p50: result.latency.p50,
    p99: result.latency.p99,
    max: result.latency.max,
    failed: result.errors + result.timeouts,
    statuses: Object.fromEntries(
      Object.entries(result.statusCodeStats).map(([status, { count }]) => [status, count])
    ),
  })
)
