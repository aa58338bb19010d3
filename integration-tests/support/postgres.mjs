import { randomBytes } from "node:crypto"
import { writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"

import { keep } from "./keep.mjs"
import { preparePostgresFiles } from "./postgres.user.mjs"

/**
 * @typedef {object} Postgres
 * @property {string} host
 * @property {number} port
 * @property {string} user
 * @property {string} password
 * @property {(database: string) => string} url
 * @property {(name: string) => Promise<void>} createDatabase
 * @property {() => Promise<void>} stop ends the server and removes its files; safe to repeat
 */

// Not 127.0.0.1: for any other host than localhost Medusa's test runner turns SSL on, and hangs.
const HOST = "localhost"
const USER = "postgres"
const START_TIMEOUT_MS = 60_000
const ATTEMPTS = 3

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address())
      server.close(() => resolve(port))
    })
  })
}

/**
 * @param {string} connectionString
 * @param {string} sql
 */
async function query(connectionString, sql) {
  const client = new pg.Client({ connectionString })
  // The server may end while this connection closes.
  client.on("error", () => undefined)
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** @returns {Promise<Postgres>} */
async function start() {
  const files = preparePostgresFiles()
  const password = randomBytes(12).toString("hex")
  const port = await freePort()
  const data = join(files.directory, "data")
  const passwordFile = join(files.directory, "password")
  writeFileSync(passwordFile, password, { mode: 0o600 })
  files.handOver()

  const kept = keep({
    commands: [
      [
        files.initdb,
        `--pgdata=${data}`,
        "--auth=scram-sha-256",
        `--username=${USER}`,
        `--pwfile=${passwordFile}`,
        "--encoding=UTF8",
        "--locale=C",
        "--no-sync",
      ],
      // Durability off: the data never outlives the run.
      [
        files.postgres,
        "-D",
        data,
        "-p",
        String(port),
        ...settings({
          listen_addresses: "127.0.0.1",
          unix_socket_directories: "",
          max_connections: "300",
          fsync: "off",
          synchronous_commit: "off",
          full_page_writes: "off",
        }),
      ],
    ],
    cwd: files.directory,
    ...files.user,
    remove: files.folders,
    stopSignal: "SIGINT",
  })

  /** @param {string} database */
  const url = (database) => `postgres://${USER}:${password}@${HOST}:${String(port)}/${database}`
  await untilReady(kept, url("postgres"))
  return {
    host: HOST,
    port,
    user: USER,
    password,
    url,
    createDatabase: (name) => query(url("postgres"), `CREATE DATABASE "${name}"`),
    stop: kept.stop,
  }
}

/** @param {Record<string, string>} values */
function settings(values) {
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`])
}

/**
 * @param {import("./keep.mjs").Kept} kept
 * @param {string} url
 */
async function untilReady(kept, url) {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    try {
      return await query(url, "SELECT 1")
    } catch (cause) {
      if (!kept.alive()) {
        throw new Error(`Embedded Postgres did not start:\n${(await kept.ended).tail}`, { cause })
      }
      if (Date.now() > deadline) {
        await kept.stop()
        throw new Error("Embedded Postgres did not answer within a minute", { cause })
      }
      await sleep(50)
    }
  }
}

/**
 * Starts a Postgres of its own on a free port, with a fresh data folder that is removed when it stops or when this
 * process ends, however it ends. Works as root and as an ordinary user, wherever the repository lies.
 *
 * @returns {Promise<Postgres>}
 */
export async function startPostgres() {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start()
    } catch (error) {
      // Another process may have taken the free port before Postgres did.
      if (attempt === ATTEMPTS || !String(error).includes("Address already in use")) {
        throw error
      }
    }
  }
}
