// Runs commands one after the other for a parent process, and ends them when that parent is gone.
//
// The parent holds this process's stdin open. The kernel closes it however the parent ends, `kill -9` included, so
// nothing survives on a port and no temporary directory stays behind. A terminal's Ctrl-C does not reach this process
// (the parent starts it in a session of its own): the parent alone decides in which order things stop.
import { spawn } from "node:child_process"
import { createWriteStream, rmSync } from "node:fs"

const TAIL_LENGTH = 4000
const STOP_MS = 5000
const ORDERLY_MS = 150_000

const { commands, cwd, uid, gid, log, remove = [], stopSignal = "SIGTERM" } = JSON.parse(process.argv[2])

const logStream = log === undefined ? undefined : createWriteStream(log, { flags: "a" })
// A full disk must not end this process: then nobody would stop the commands.
logStream?.on("error", () => undefined)
let tail = ""
let stopping = false
let running

function keepOutput(chunk) {
  logStream?.write(chunk)
  tail = (tail + chunk.toString()).slice(-TAIL_LENGTH)
}

function signalGroup(signal) {
  if (!running?.pid) {
    return
  }
  try {
    process.kill(-running.pid, signal)
  } catch (error) {
    // The group may have ended between the decision and the signal.
    if (error.code !== "ESRCH") {
      throw error
    }
  }
}

/** The parent may name another signal, and then waits for as long as an orderly stop may take. */
let asked = ""

function stop() {
  if (stopping) {
    return
  }
  stopping = true
  signalGroup(/** @type {NodeJS.Signals} */ (asked || stopSignal))
  setTimeout(() => signalGroup("SIGKILL"), asked ? ORDERLY_MS : STOP_MS).unref()
}

/** @returns {Promise<number>} the exit code; 1 when a signal ended it or it could not be started */
function run([file, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      ...(uid === undefined ? {} : { uid, gid }),
    })
    running = child
    child.stdout.on("data", keepOutput)
    child.stderr.on("data", keepOutput)
    child.on("error", (error) => {
      keepOutput(Buffer.from(`${error.message}\n`))
      resolve(1)
    })
    child.on("exit", (code) => {
      // Whatever the command left in its group (a bundler's helper) goes with it.
      signalGroup("SIGKILL")
      resolve(code ?? 1)
    })
  })
}

process.stdin.on("data", (signal) => (asked += String(signal)))
process.stdin.on("end", stop).on("error", stop)
process.on("SIGTERM", stop).on("SIGINT", stop).on("SIGHUP", stop)
// Should this file have a fault, the commands must still not outlive it.
process.on("exit", () => signalGroup("SIGKILL"))

let code = 0
for (const command of commands) {
  code = await run(command)
  if (code !== 0 || stopping) {
    break
  }
}
for (const path of remove) {
  rmSync(path, { recursive: true, force: true })
}
await new Promise((resolve) => (logStream ? logStream.end(resolve) : resolve(undefined)))
if (code !== 0 && !stopping) {
  // The parent may be gone; then nobody wants the tail.
  process.stderr.on("error", () => process.exit(code))
  process.stderr.write(tail, () => process.exit(code))
} else {
  process.exit(code)
}
