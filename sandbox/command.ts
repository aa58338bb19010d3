import { parseArgs, types } from "node:util"
import { version } from "../package.json"
import type { SandboxOptions } from "./options"

export const USAGE = `Usage: medusa-payment-crypto sandbox --secret <key> [options]

Emulates the crypto payment gateway on this machine: API, payment page and control API.

  --secret <key>        key of the approval hash; the store's secretKey (required)
  --webhook <url>       where notifications go, for example
                        http://localhost:9000/hooks/payment/crypto_default
  --port <number>       default 4010
  --host <address>      default 127.0.0.1; the control API has no password
  --public-url <url>    address written into payment links, if not the host's
  --token <token>       ask API requests for this bearer token
  --api-key <key>       ask API requests for a request signature with this key
  --merchant <name>     name on the payment page
  --fee-paid-by <who>   BUYER or MERCHANT (default)
  --help                this text

medusa-payment-crypto --version prints the version of the package.`

/** What the command line asks for, or why it cannot be understood. */
export type Command = { run: SandboxOptions } | { print: string } | { refuse: string }

export function parseCommand(argv: readonly string[]): Command {
  const [name, ...rest] = argv
  if (name === "--version" || name === "-v") {
    return { print: version }
  }
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    return name === undefined
      ? { refuse: "say what to run: medusa-payment-crypto sandbox --help" }
      : { print: USAGE }
  }
  if (name.startsWith("-")) {
    const option = name.split("=")[0] ?? name
    return { refuse: `${option} belongs after the command: medusa-payment-crypto sandbox ${option} …` }
  }
  if (name !== "sandbox") {
    return { refuse: `unknown command ${name}; there is only: sandbox` }
  }
  try {
    return read(rest)
  } catch (error) {
    return { refuse: firstSentence(error) }
  }
}

function read(args: string[]): Command {
  const text = { type: "string" } as const
  const { values } = parseArgs({
    args,
    options: {
      secret: text,
      webhook: text,
      port: text,
      host: text,
      "public-url": text,
      token: text,
      "api-key": text,
      merchant: text,
      "fee-paid-by": text,
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "v" },
    },
  })
  if (values.help) {
    return { print: USAGE }
  }
  if (values.version) {
    return { print: version }
  }
  const empty = Object.entries(values).find(([, value]) => typeof value === "string" && value.trim() === "")
  if (empty !== undefined) {
    const advice = empty[0] === "secret" ? "give it a value" : "leave it out, or give it a value"
    return { refuse: `--${empty[0]} is empty; ${advice}` }
  }
  if (values.secret === undefined) {
    return { refuse: "--secret is missing: the key of the approval hash, the same as the store's secretKey" }
  }
  const port = values.port ?? "4010"
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535) {
    return { refuse: `--port must be a number from 0 to 65535, not ${port}` }
  }
  const feePaidBy = values["fee-paid-by"] ?? "MERCHANT"
  if (feePaidBy !== "BUYER" && feePaidBy !== "MERCHANT") {
    return { refuse: `--fee-paid-by must be BUYER or MERCHANT, not ${feePaidBy}` }
  }
  for (const name of ["webhook", "public-url"] as const) {
    const url = values[name]
    if (url !== undefined && !(/^https?:\/\//.test(url) && URL.canParse(url))) {
      return { refuse: `--${name} must be an http or https address, not ${url}` }
    }
  }
  const apiKey = values["api-key"]
  return {
    run: {
      secretKey: values.secret,
      port: Number(port),
      feePaidBy,
      ...(values.host !== undefined && { host: values.host }),
      ...(values.webhook !== undefined && { webhookUrl: values.webhook }),
      ...(values["public-url"] !== undefined && { publicUrl: values["public-url"] }),
      ...(values.merchant !== undefined && { merchantName: values.merchant }),
      ...((values.token !== undefined || apiKey !== undefined) && {
        auth: {
          ...(values.token !== undefined && { bearerToken: values.token }),
          ...(apiKey !== undefined && { signature: { apiKey } }),
        },
      }),
    },
  }
}

// parseArgs explains at length; its first sentence is enough.
function firstSentence(error: unknown): string {
  const message = types.isNativeError(error) ? error.message : String(error)
  return `${message.split(/\.(?= |$)|\n/m)[0] ?? message}; see medusa-payment-crypto sandbox --help`
}
