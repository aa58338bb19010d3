#!/usr/bin/env node
import { parseCommand } from "./command"
import type { SandboxOptions } from "./options"
import { startSandbox } from "./start"

const print = (line: string) => process.stdout.write(`${line}\n`)

function refuse(message: string, exitCode: number): void {
  process.stderr.write(`medusa-payment-crypto: ${message}\n`)
  process.exitCode = exitCode
}

async function run(options: SandboxOptions): Promise<void> {
  const sandbox = await startSandbox({ ...options, log: print })
  print(`Sandbox gateway      ${sandbox.url}`)
  print(`  base URL           ${sandbox.baseUrl}`)
  print(`  control API        ${sandbox.url}/control/`)
  print(`  notifications to   ${options.webhookUrl ?? "nowhere (give --webhook)"}`)
  print("No money moves here. Ctrl-C stops it.")
  const stop = () => {
    void sandbox.close().then(() => process.exit(0))
  }
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
}

function explain(error: unknown, options: SandboxOptions): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  switch (code) {
    case "EADDRINUSE":
      return `port ${options.port ?? ""} is taken; choose another with --port`
    case "EACCES":
      return `port ${options.port ?? ""} may not be opened by this user; choose one above 1023`
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `--host ${options.host ?? ""} is not an address of this machine`
    default:
      return error instanceof Error ? error.message : String(error)
  }
}

const command = parseCommand(process.argv.slice(2))
if ("print" in command) {
  print(command.print)
} else if ("refuse" in command) {
  refuse(command.refuse, 2)
} else {
  run(command.run).catch((error: unknown) => {
    refuse(explain(error, command.run), 1)
  })
}
