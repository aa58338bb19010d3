const { holdAnswer, takeTurn } = require("./points.cjs")

/** The end of an answer, in undici's two kinds of handlers. */
const ENDINGS = ["onResponseEnd", "onComplete"]

/**
 * Each call to the gateway is a point. They go through undici's pools, and nothing else of a store does.
 *
 * @param {any} Pool of `undici`
 */
function holdGatewayCalls(Pool) {
  const dispatch = Pool.prototype.dispatch
  Pool.prototype.dispatch = function (/** @type {any} */ options, /** @type {any} */ handler) {
    const point = `${String(options.method)} ${nameOfPath(String(options.path))}`
    const turn = takeTurn(point)
    if (turn === "hold") {
      return true
    }
    return dispatch.call(this, options, turn === "go" ? handler : withoutEnd(handler, holdAnswer(point)))
  }
}

/** @param {string} path */
function nameOfPath(path) {
  return path.replace(/\?.*$/, "").replace(/(\/payments)\/[^/]+$/, "$1/:id")
}

/**
 * @param {any} handler
 * @param {() => void} answered
 */
function withoutEnd(handler, answered) {
  return new Proxy(handler, {
    get: (target, name) => {
      if (ENDINGS.includes(String(name)) && name in target) {
        return answered
      }
      const value = target[name]
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}

module.exports = { holdGatewayCalls }
