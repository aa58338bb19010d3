import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/medusa-payment-crypto", import.meta.url))

/**
 * A folder below `node_modules` that is made once and kept. It is there as a whole or not at all: several processes may
 * make it at once, and each may be killed. Each user has a folder of their own.
 *
 * @param {string} version when there is another one, the folders of former versions are removed
 * @param {(unfinished: string, folder: string) => Promise<void>} fill writes the files into an empty folder, which is
 *   renamed to `folder` then
 */
export async function cachedFolder(kind, version, fill) {
  const user = String(process.getuid?.() ?? 0)
  const name = `${kind}-${version}-${user}`
  const folder = join(CACHE, name)
  if (existsSync(folder)) {
    return folder
  }
  mkdirSync(CACHE, { recursive: true })
  // One that a process leaves when it is killed goes with the next `npm ci`.
  const unfinished = mkdtempSync(join(CACHE, "unfinished-"))
  try {
    await fill(unfinished, folder)
    renameSync(unfinished, folder)
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!existsSync(folder)) {
      throw error
    }
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  const isFormer = (other) => other.startsWith(`${kind}-`) && other.endsWith(`-${user}`) && other !== name
  for (const other of readdirSync(CACHE).filter(isFormer)) {
    rmSync(join(CACHE, other), { recursive: true, force: true })
  }
  return folder
}
