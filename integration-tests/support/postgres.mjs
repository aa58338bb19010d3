import { createHash, randomBytes, randomInt } from "node:crypto"
import { once } from "node:events"
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import pg from "pg"

import { untilReady } from "../../examples/demo/commands.mjs"
import { MEDUSA_CLI, ROOT, STORE } from "../../examples/demo/paths.mjs"
import { cachedFolder } from "./cached-folder.mjs"
import { keep } from "./keep.mjs"
import { preparePostgresFiles } from "./postgres.user.mjs"

// Not 127.0.0.1: for any other host than localhost Medusa's test runner turns SSL on, and hangs.
const HOST = "localhost"
const USER = "postgres"
/** Above the ports that `fetch` refuses. */
const FIRST_PORT = 11_000
const END_PORT = 30_000
/** @type {Set<number>} */
const drawn = new Set()
const WITH_ROLES = join(ROOT, "integration-tests/setup/with-roles.js")

/**
 * A port that nobody listens on. It is outside the system's default range for outgoing connections, so that none of
 * these takes it before its server listens. A process never gets a port twice.
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(FIRST_PORT, END_PORT)
    const isFree = !drawn.has(port) && (await canListen(port))
    drawn.add(port)
    if (isFree) {
      return port
    }
  }
}

/** @param {number} port */
async function canListen(port) {
  const server = createServer()
  try {
    await once(server.listen(port, "127.0.0.1"), "listening")
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EADDRINUSE") {
      throw error
    }
    return false
  }
  await once(server.close(), "close")
  return true
}

/**
 * @param {string} connectionString
 * @param {string} sql
 */
export async function query(connectionString, sql) {
  const client = new pg.Client({ connectionString })
  // The server may end while this connection closes.
  client.on("error", () => undefined)
  try {
    await client.connect()
    return await client.query(sql)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * @param {{ from?: string, leaveFiles?: boolean, remove?: string[] }} options `from`: the files that another one has
 *   left; `remove`: what else is removed when it ends
 */
async function start({ from, leaveFiles = false, remove = [] }) {
  const files = preparePostgresFiles()
  const port = await freePort()
  const data = join(files.directory, "data")
  const passwordFile = join(files.directory, "password")
  if (from === undefined) {
    writeFileSync(passwordFile, randomBytes(12).toString("hex"), { mode: 0o600 })
  } else {
    cpSync(from, files.directory, { recursive: true })
    // From Node 22 on, a copied folder is open to others, and Postgres refuses that.
    chmodSync(data, 0o700)
  }
  const password = readFileSync(passwordFile, "utf8")
  files.handOver()
  const login = ["--auth=scram-sha-256", `--username=${USER}`, `--pwfile=${passwordFile}`]
  const initdb = [files.initdb, `--pgdata=${data}`, ...login, "--encoding=UTF8", "--locale=C", "--no-sync"]
  // The data never outlives the run. A commit outlives a crash of Postgres, as in production.
  const settings = Object.entries({
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "300",
    fsync: "off",
    full_page_writes: "off",
  }).flatMap(([name, value]) => ["-c", `${name}=${String(value)}`])

  // Not among the files that are kept: an earlier one's log says that it is ready.
  const log = `${files.directory}.log`
  const kept = keep({
    commands: [...(from === undefined ? [initdb] : []), [files.postgres, "-D", data, ...settings]],
    cwd: files.directory,
    ...files.user,
    log,
    remove: [log, ...files.folders.filter((folder) => !leaveFiles || folder !== files.directory), ...remove],
    stopSignal: "SIGINT",
  })

  /** @param {string} database */
  const url = (database) => `postgres://${USER}:${password}@${HOST}:${String(port)}/${database}`
  const { signal } = new AbortController()
  await untilReady(kept, { name: "Embedded Postgres", log, ready: /ready to accept connections/, signal })
  return {
    directory: files.directory,
    port,
    url,
    createDatabase: (/** @type {string} */ name) => query(url("postgres"), `CREATE DATABASE "${name}"`),
    /** Ends the server and removes its files; safe to repeat. */
    stop: () => kept.stop(),
  }
}

/**
 * Starts a Postgres of its own on a free port, with a fresh data folder that is removed when it stops or when this
 * process ends, however it ends. Works as root and as an ordinary user, wherever the repository lies.
 */
export const startPostgres = () => start({})

/**
 * The same, and every database that is created there has the tables of the example store. The files of the first one
 * are kept below `node_modules` for the later ones, until a package or a migration changes.
 *
 * @param {string[]} [remove] further paths that go with its own files
 */
export async function startMigratedPostgres(remove = []) {
  const migrated = await cachedFolder("postgres", hashOfMigrations(), async (folder) => {
    const postgres = await start({ leaveFiles: true })
    try {
      await migrateStore(postgres.url("template1"))
      await postgres.stop()
      cpSync(postgres.directory, folder, { recursive: true })
    } finally {
      await postgres.stop()
      rmSync(postgres.directory, { recursive: true, force: true })
    }
  })
  return await start({ from: migrated, remove })
}

/**
 * With the tables of Medusa's roles, which a store without their flag does not read.
 *
 * @param {string} databaseUrl
 */
async function migrateStore(databaseUrl) {
  const migrating = keep({
    commands: [[process.execPath, "--require", WITH_ROLES, MEDUSA_CLI, "db:migrate", "--execute-safe-links"]],
    cwd: STORE,
    env: { ...process.env, DATABASE_URL: databaseUrl, ADMIN_DISABLED: "true", NODE_OPTIONS: "" },
  })
  const { code, tail } = await migrating.ended
  if (code !== 0) {
    throw new Error(`The test store's database could not be migrated:\n${tail}`)
  }
}

function hashOfMigrations() {
  // As they were built: those run.
  const migrations = join(ROOT, ".medusa/server/src/modules/crypto-payments/migrations")
  const hash = createHash("sha256")
  const files = readdirSync(migrations).map((name) => join(migrations, name))
  for (const file of [join(ROOT, "package-lock.json"), fileURLToPath(import.meta.url), ...files]) {
    hash.update(readFileSync(file))
  }
  return hash.digest("hex").slice(0, 16)
}
