import { parseArgs } from "node:util"

import { DemoProblem } from "./demo-problem.mjs"

export const USAGE = `npm run demo [-- options]

  --once                run one checkout, check that it was captured exactly once, and end (exit code 0 only then)
  --port <n>            port of the store (default 9000, or DEMO_PORT)
  --sandbox-port <n>    port of the payment sandbox (default 4010, or DEMO_SANDBOX_PORT)
  --help`

/**
 * @typedef {object} DemoOptions
 * @property {boolean} once
 * @property {number} port
 * @property {number} sandboxPort
 * @property {boolean} help
 */

/**
 * @param {string} name
 * @param {string} text
 */
function toPort(name, text) {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new DemoProblem(`${name} must be a port number between 1 and 65535, not "${text}".`)
  }
  return port
}

/**
 * @param {string[]} args
 * @returns {DemoOptions}
 */
export function readOptions(args) {
  /** @type {{once?: boolean, help?: boolean, port?: string, "sandbox-port"?: string}} */
  let values
  try {
    ;({ values } = parseArgs({
      args,
      options: {
        once: { type: "boolean" },
        help: { type: "boolean" },
        port: { type: "string" },
        "sandbox-port": { type: "string" },
      },
    }))
  } catch (cause) {
    throw new DemoProblem(`${/** @type {Error} */ (cause).message}\n\n${USAGE}`)
  }
  const options = {
    once: values.once ?? false,
    help: values.help ?? false,
    port: toPort("--port", values.port ?? process.env["DEMO_PORT"] ?? "9000"),
    sandboxPort: toPort(
      "--sandbox-port",
      values["sandbox-port"] ?? process.env["DEMO_SANDBOX_PORT"] ?? "4010"
    ),
  }
  if (options.port === options.sandboxPort) {
    throw new DemoProblem("The store and the sandbox need two different ports.")
  }
  return options
}
