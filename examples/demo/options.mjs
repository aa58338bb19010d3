import { parseArgs } from "node:util"

import { DemoProblem } from "./demo-problem.mjs"

export const USAGE = `npm run demo [-- options]

  --once                run one checkout, check that it was captured exactly once, and end (exit code 0 only then)
  --port <n>            port of the store (default 9000, or DEMO_PORT)
  --sandbox-port <n>    port of the payment sandbox (default 4010, or DEMO_SANDBOX_PORT)
  --shop-port <n>       port of the shop's pages (default 8000, or DEMO_SHOP_PORT); not opened with --once
  --help`

/**
 * @typedef {object} DemoOptions
 * @property {boolean} once
 * @property {number} port
 * @property {number} sandboxPort
 * @property {number} shopPort
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
  /** @type {{once?: boolean, help?: boolean, port?: string, "sandbox-port"?: string, "shop-port"?: string}} */
  let values
  try {
    ;({ values } = parseArgs({
      args,
      options: {
        once: { type: "boolean" },
        help: { type: "boolean" },
        port: { type: "string" },
        "sandbox-port": { type: "string" },
        "shop-port": { type: "string" },
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
    shopPort: toPort("--shop-port", values["shop-port"] ?? process.env["DEMO_SHOP_PORT"] ?? "8000"),
  }
  if (new Set([options.port, options.sandboxPort, options.shopPort]).size < 3) {
    throw new DemoProblem("The store, the sandbox and the shop need three different ports.")
  }
  return options
}
