import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Instance } from "../../support/cluster/instance"
import { setting } from "./store"

/**
 * Another process of the store on the same database, started otherwise, for as long as `use` takes.
 *
 * @param change of its environment; undefined takes a variable away
 */
export async function withStoreProcess(
  change: Record<string, string | undefined>,
  use: (url: string) => Promise<void>
): Promise<void> {
  const logs = mkdtempSync(join(tmpdir(), "medusa-payment-crypto-browser-"))
  const env = Object.fromEntries(
    Object.entries({ ...setting.env, ...change }).filter(([, value]) => value !== undefined)
  ) as Record<string, string>
  const instance = new Instance("server", "store", env, logs)
  try {
    await instance.start()
    await use(instance.url)
  } finally {
    await instance.kill()
    rmSync(logs, { recursive: true, force: true })
  }
}
