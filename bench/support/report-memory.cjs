// Preloaded into a store: writes down now and then how much memory the process holds.
const { writeFileSync } = require("node:fs")

const file = process.env["BENCH_MEMORY_FILE"]
if (file) {
  setInterval(() => {
    const { rss, heapUsed } = process.memoryUsage()
    writeFileSync(file, JSON.stringify({ pid: process.pid, rss, heapUsed }))
  }, 500).unref()
}
