const { AsyncLocalStorage } = require("node:async_hooks")
const http = require("node:http")

/**
 * One flow that is played in this process, and the point at which it is held. A held run does nothing any more: what it
 * asks of the database or the gateway is never sent, and nothing answers it. So when the process is killed later, it dies
 * at that point.
 *
 * @typedef {object} Run
 * @property {boolean} isCounted whether its points count yet: not while it is prepared
 * @property {number} holdAt number of the point, from 1; 0 to hold nowhere
 * @property {"before" | "after"} side whether the write or call is still sent and answered
 * @property {string[]} points names of the points passed so far
 * @property {string | null} heldAt name of the point at which it is held
 * @property {boolean} isOver it ended, and its points are no longer counted
 * @property {(heldAt: string | null) => void} tell
 * @property {Promise<string | null>} told settles when the run is held or over
 */

const context = new AsyncLocalStorage()
let current = null
const isControl = Symbol("control")

/** Begins a run: from now on what this process does belongs to it, but for what belongs to a former one. */
function begin() {
  let tell
  const told = new Promise((resolve) => (tell = resolve))
  const points = { isCounted: false, holdAt: 0, side: "before", points: [] }
  current = { ...points, heldAt: null, isOver: false, tell, told }
}

/** From now on the points of the run count. */
function arm({ holdAt, side }) {
  Object.assign(current, { holdAt, side, isCounted: true })
}

/** Ends the run that was begun last, held or not. @returns {Run | null} */
function disarm() {
  const run = current
  if (run !== null) {
    run.isOver = run.heldAt === null
    run.tell(run.heldAt)
  }
  current = null
  return run
}

const runNow = () => current

/**
 * Whoever is about to ask the database or the gateway for something learns whether to go on.
 *
 * @param {string | null} point its name, when it is a write or a call that counts
 * @returns {"go" | "hold" | (() => void)} a function is to be called when the answer is there, which nobody may learn of
 */
function takeTurn(point) {
  const run = context.getStore() ?? current
  if (run === null || run.isOver) {
    return "go"
  }
  if (run.heldAt !== null) {
    return "hold"
  }
  if (point === null || !run.isCounted || run.points.push(point) !== run.holdAt) {
    return "go"
  }
  const hold = () => {
    if (run.heldAt === null) {
      run.heldAt = point
      run.tell(point)
    }
  }
  if (run.side === "after") {
    return hold
  }
  hold()
  return "hold"
}

/** Whatever follows from a request that comes in now belongs to the run that is under way now, also when another begins. */
function tagRequests() {
  const emit = http.Server.prototype.emit
  http.Server.prototype.emit = function (event, ...args) {
    const send = () => emit.call(this, event, ...args)
    return event === "request" && !(isControl in this) ? inRun(send) : send()
  }
}

/** What many runs wait for must not be held with one of them. */
const inNoRun = (work) => context.run({ isOver: true }, work)

const inRun = (work) => (current === null ? work() : context.run(current, work))

module.exports = { arm, begin, disarm, inNoRun, inRun, isControl, runNow, tagRequests, takeTurn }
