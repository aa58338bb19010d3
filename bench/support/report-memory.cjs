// Preloaded into a store: writes down now and then how much memory the process holds.
const { writeFileSync } = require("node:fs")

const file = process.env["BENCH_MEMORY_FILE"]
// What starts the store inherits the preload, and would write down its own.
if (file && process.argv[2] === "start") {
  setInterval(() => {
    const { rss, heapUsed } = process.memoryUsage()
    writeFileSync(file, JSON.stringify({ rss, heapUsed }))
  }, 500).unref()
}
