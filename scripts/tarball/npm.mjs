import { npmCommand, runCommand } from "../../examples/demo/commands.mjs"

/** Kept, because they say where packages come from and not which project this is. */
const ABOUT_THE_REGISTRY = /^npm_(execpath$|config_(registry|cache|userconfig|globalconfig)$)/i

/** What `npm run` tells its scripts about this repository must not reach an npm that works elsewhere. */
export function forgetNpmScript() {
  for (const name of Object.keys(process.env)) {
    if (/^npm_/i.test(name) && !ABOUT_THE_REGISTRY.test(name)) {
      Reflect.deleteProperty(process.env, name)
    }
  }
}

/**
 * @param {string[]} args
 * @param {{cwd: string, log: string, signal: AbortSignal}} at
 */
export async function npm(args, { cwd, log, signal }) {
  const env = { ...process.env, MEDUSA_DISABLE_TELEMETRY: "1" }
  await runCommand({ name: `npm ${args[0] ?? ""}`, command: npmCommand(args), cwd, env, log, signal })
}
