// Loaded into the store before Medusa: its jobs run only when a test asks for it, with `runSchedule`.
const Module = require("node:module")

const JOB = /[/\\]src[/\\]jobs[/\\][a-z-]+\.js$/
/** Medusa accepts no schedule that never comes. */
const FAR_AHEAD = new Date(Date.now() + 10 * 24 * 60 * 60 * 1000)

const load = Module._extensions[".js"]
Module._extensions[".js"] = (module, file) => {
  load(module, file)
  if (JOB.test(file)) {
    module.exports.config.schedule = `0 0 ${FAR_AHEAD.getDate()} ${FAR_AHEAD.getMonth() + 1} *`
    process.stdout.write(`does not run by itself: ${file}\n`)
  }
}
