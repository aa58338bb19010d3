const { takeTurn } = require("./points.cjs")

/** The end of an answer, in undici's two kinds of handlers. */
const ENDINGS = ["onResponseEnd", "onComplete"]

/** Each call to the gateway is a point. They go through undici's pools, and nothing else of a store does. */
function holdGatewayCalls(Pool) {
  const dispatch = Pool.prototype.dispatch
  Pool.prototype.dispatch = function (options, handler) {
    const turn = takeTurn(`${String(options.method)} ${nameOfPath(String(options.path))}`)
    if (turn === "hold") {
      return true
    }
    return dispatch.call(this, options, turn === "go" ? handler : withoutEnd(handler, turn))
  }
}

const nameOfPath = (path) => path.replace(/\?.*$/, "").replace(/(\/payments)\/[^/]+$/, "$1/:id")

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
