import { createServer } from "node:net"

import { DemoProblem } from "./demo-problem.mjs"

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<boolean>}
 */
function isTaken(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "EADDRINUSE") {
        resolve(true)
      } else if (error.code === "EACCES") {
        reject(new DemoProblem(`Port ${String(port)} is reserved for the system. Choose one above 1023.`))
      } else {
        // A machine without IPv6 has no ::1 to be taken.
        resolve(false)
      }
    })
    server.listen(port, host, () => server.close(() => resolve(false)))
  })
}

/**
 * Checked before anything slow is done, so that the wait is not for nothing.
 *
 * @param {number} port
 * @param {string} what the server that needs it
 * @param {string} flag option that names another port
 */
export async function requireFreePort(port, what, flag) {
  // "localhost" may mean either; a stranger on one of them would get half of the requests.
  if ((await isTaken(port, "127.0.0.1")) || (await isTaken(port, "::1"))) {
    throw new DemoProblem(
      `Port ${String(port)} is in use, and the ${what} needs it. End what runs there, or choose another: ` +
        `npm run demo -- ${flag} ${String(port + 1)}`
    )
  }
}
