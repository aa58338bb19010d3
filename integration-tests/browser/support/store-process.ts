import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Instance } from "../../support/cluster/instance"
import { BUILT_STORE, LOGS } from "../../support/cluster/paths"
import { setting } from "./store"

type UseStore = (url: string) => Promise<void>

/**
 * Another process of the store on the same database, started otherwise, for as long as `use` takes.
 *
 * @param change of its environment; undefined takes a variable away
 * @param folder the built store's unless told
 */
export async function withStoreProcess(
  change: Record<string, string | undefined>,
  use: UseStore,
  folder = BUILT_STORE
): Promise<void> {
  const env = Object.fromEntries(
    Object.entries({ ...setting.env, ...change }).filter(([, value]) => value !== undefined)
  ) as Record<string, string>
  const instance = new Instance("server", "other-store", env, LOGS, undefined, folder)
  try {
    await instance.start()
    await use(instance.url)
  } finally {
    await instance.kill()
  }
}

/** The same with another medusa-config. @param change a module's text, which changes the store's `config` */
export async function withConfig(
  change: string,
  use: UseStore,
  env: Record<string, string> = {}
): Promise<void> {
  const folder = join(BUILT_STORE, "../other-config")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const name of ["src", "public", "package.json"]) {
    symlinkSync(join(BUILT_STORE, name), join(folder, name))
  }
  const text = ['const config = require("../server/medusa-config.js")', change, "module.exports = config"]
  writeFileSync(join(folder, "medusa-config.js"), text.join("\n"))
  try {
    await withStoreProcess(env, use, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const SECOND_PROVIDER = `
const { providers } = config.modules.payment.options
providers.push({ ...providers[0], id: "wholesale", options: JSON.parse(process.env["SECOND_PROVIDER"]) })`

/** With a provider `wholesale` next to the store's own, of these options. */
export async function withSecondProvider(options: Record<string, unknown>, use: UseStore): Promise<void> {
  await withConfig(SECOND_PROVIDER, use, { SECOND_PROVIDER: JSON.stringify(options) })
}
