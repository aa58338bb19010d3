import { randomBytes } from "node:crypto"
import { mkdtempSync, mkdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { knex, type Knex } from "@medusajs/framework/mikro-orm/knex"
import axios, { type AxiosInstance } from "axios"
import { startSandbox, type Sandbox } from "../../../dist/sandbox"
import type { SeededStore } from "../../../examples/store/src/seed"
import { GatewayControl } from "../gateway-control"
import { Shopper } from "../shopper"
import { Instance, type WorkerMode } from "./instance"
import { buildStore, run, startMigratedPostgres } from "./kept"
import { BUILT_STORE, MEDUSA_CLI, STATE } from "./paths"
import { findRedisServer, startRedis } from "./redis-server"
import { startTogether, type Endings } from "../endings"

const DATABASE = "store"
const REQUEST_TIMEOUT_MS = 60_000
/** So that nothing is ever sold out: what is tested is money. */
const STOCK = 1_000_000

/** Two servers and two workers of the built example store on one Postgres and one Redis, with the sandbox. */
export interface StoreCluster {
  readonly servers: Instance[]
  readonly workers: Instance[]
  readonly instances: Instance[]
  readonly knex: Knex
  readonly gateway: GatewayControl
  /** The sandbox's address as the instances were given it. */
  readonly gatewayBaseUrl: string
  readonly seeded: SeededStore
  /** A guest who shops at that server. */
  shopper(server: Instance): Shopper
  /** The merchant, logged in; the session is good at every server. */
  admin(server: Instance): AxiosInstance
  /** Runs a script inside a Medusa process of its own, as `medusa exec`. */
  exec(file: string, ...args: string[]): Promise<void>
  /** Leaves locks of core's behind, as a killed process does. */
  leaveLocks(keys: string[]): Promise<void>
  /** Redis loses everything: locks, events and workflows that wait. */
  loseRedisData(): Promise<void>
  /** Redis answers nobody for so long. */
  pauseRedis(ms: number): Promise<void>
  /** Moves the clock of what killed processes have left: their leases and locks end after two minutes at most. */
  endLeases(): Promise<void>
  /** Moves the clock of everything unsettled: what was captured is two minutes older, and what is watched is due. */
  letTwoMinutesPass(): Promise<void>
  stop(): Promise<void>
}

interface ClusterOptions {
  /** Loaded into each process before Medusa. */
  preload?: string
  /** What else each process gets. */
  environment?: Record<string, string>
}

/** @param tell hears what is being done */
export function startCluster(
  tell: (what: string) => void = () => undefined,
  options: ClusterOptions = {}
): Promise<StoreCluster> {
  return startTogether((endings, stop) => bringUp(tell, options, endings, stop))
}

async function bringUp(
  tell: (what: string) => void,
  { preload, environment }: ClusterOptions,
  endings: Endings,
  stop: () => Promise<void>
): Promise<StoreCluster> {
  findRedisServer()
  const logs = openLogs()
  // Removed with Redis' own files, also when this process is killed.
  const redis = await startRedis(logs.isTemporary ? [logs.folder] : [])
  endings.push(redis.stop)
  const gateway = { secretKey: randomBytes(24).toString("hex"), token: randomBytes(12).toString("hex") }
  const sandbox = await startSandbox({
    port: 0,
    secretKey: gateway.secretKey,
    auth: { bearerToken: gateway.token },
  })
  endings.push(() => sandbox.close())
  const postgres = await startMigratedPostgres()
  endings.push(postgres.stop)
  await postgres.createDatabase(DATABASE)
  const connection = knex({ client: "pg", connection: postgres.url(DATABASE), pool: { min: 0, max: 10 } })
  endings.push(() => connection.destroy())
  // The harness turns it off for speed; here Postgres is killed, and what it has confirmed has to be there afterwards.
  await connection.raw(`ALTER DATABASE ${DATABASE} SET synchronous_commit = on`)
  const env = { ...storeEnvironment(postgres.url(DATABASE), redis.url, sandbox, gateway), ...environment }

  tell("building the store")
  mkdirSync(join(STATE, "logs"), { recursive: true })
  await buildStore(env, new AbortController().signal)
  tell("seeding")
  const file = join(logs.folder, "seeded.json")
  await medusa(["exec", "./src/scripts/seed.js", file], env, join(logs.folder, "seed.log"))
  const seeded = JSON.parse(readFileSync(file, "utf8")) as SeededStore

  await connection("inventory_level").update({
    stocked_quantity: STOCK,
    raw_stocked_quantity: { value: String(STOCK), precision: 20 },
  })

  let runs = 0
  const at = ({ url }: Instance, headers = {}): AxiosInstance =>
    axios.create({ baseURL: url, headers, timeout: REQUEST_TIMEOUT_MS, validateStatus: () => true })
  tell("starting two servers and two workers")
  const instance = (mode: WorkerMode, name: string): Instance =>
    new Instance(mode, name, env, logs.folder, preload === undefined ? [] : ["--require", preload])
  const servers = ["server-1", "server-2"].map((name) => instance("server", name))
  const workers = ["worker-1", "worker-2"].map((name) => instance("worker", name))
  const instances = [...servers, ...workers]
  endings.push(() => Promise.all(instances.map((instance) => instance.kill())))
  await Promise.all(instances.map((instance) => instance.start()))
  const token = await logIn(at(servers[0] as Instance), seeded)
  return {
    servers,
    workers,
    instances,
    gatewayBaseUrl: sandbox.baseUrl,
    knex: connection,
    gateway: new GatewayControl(sandbox.url),
    seeded,
    shopper: (server) => new Shopper(at(server), seeded),
    admin: (server) => at(server, { authorization: `Bearer ${token}` }),
    exec: async (script, ...args) => {
      await medusa(["exec", script, ...args], env, join(logs.folder, `exec.${++runs}.log`))
    },
    leaveLocks: redis.leaveLocks,
    loseRedisData: redis.flush,
    pauseRedis: redis.pause,
    endLeases: async () => {
      await redis.endLocks()
      await connection("crypto_payment_request").update({ lease_until: null })
    },
    letTwoMinutesPass: async () => {
      await connection.raw("UPDATE capture SET created_at = created_at - interval '2 minutes'")
      await connection("crypto_payment_request")
        .whereNull("settled_at")
        .whereNotNull("next_check_at")
        .update({ next_check_at: connection.fn.now() })
    },
    stop,
  }
}

/** @returns the token of the seeded admin user */
export async function logIn(http: AxiosInstance, { admin }: SeededStore): Promise<string> {
  const { data } = await http.post<{ token: string }>("/auth/user/emailpass", admin)
  return data.token
}

/** What each process of a store is started with. @param redisUrl empty for a store of one process at a time, without Redis */
export function storeEnvironment(
  databaseUrl: string,
  redisUrl: string,
  sandbox: Sandbox,
  gateway: { secretKey: string; token: string }
): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: "production",
    // The test runner's flags are not the store's.
    NODE_OPTIONS: "",
    MEDUSA_DISABLE_TELEMETRY: "1",
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ADMIN_DISABLED: "true",
    JWT_SECRET: randomBytes(24).toString("hex"),
    COOKIE_SECRET: randomBytes(24).toString("hex"),
    CRYPTO_PAYMENTS_BASE_URL: sandbox.baseUrl,
    CRYPTO_PAYMENTS_SECRET_KEY: gateway.secretKey,
    CRYPTO_PAYMENTS_TOKEN: gateway.token,
  }
}

/** Runs a command of Medusa's in the built store. @throws with the end of its output when it fails */
export async function medusa(args: string[], env: NodeJS.ProcessEnv, log: string): Promise<void> {
  const command = [process.execPath, MEDUSA_CLI, ...args]
  await run(`medusa ${args.join(" ")}`, { command, cwd: BUILT_STORE, env, log })
}

/** CLUSTER_LOGS names a folder where the output of every process stays, for when something has to be found out. */
export function openLogs(): { folder: string; isTemporary: boolean } {
  const kept = process.env["CLUSTER_LOGS"]
  if (!kept) {
    return { folder: mkdtempSync(join(tmpdir(), "medusa-payment-crypto-logs-")), isTemporary: true }
  }
  mkdirSync(kept, { recursive: true })
  return { folder: resolve(kept), isTemporary: false }
}
