import { randomBytes } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { knex, type Knex } from "@medusajs/framework/mikro-orm/knex"
import axios, { type AxiosInstance } from "axios"
import { startSandbox, type Sandbox } from "../../../dist/sandbox"
import type { SeededStore } from "../../../examples/store/src/seed"
import type { Endings } from "../endings"
import { GatewayControl } from "../gateway-control"
import type { Instance } from "./instance"
import { buildStore, run, startMigratedPostgres } from "./kept"
import { BUILT_STORE, MEDUSA_CLI, STATE } from "./paths"

const DATABASE = "store"
const REQUEST_TIMEOUT_MS = 60_000

/** The built and seeded example store on a Postgres of its own, with the sandbox. Its processes come and go. */
export interface BuiltStore {
  readonly knex: Knex
  readonly gateway: GatewayControl
  /** The sandbox's address as the processes are given it. */
  readonly gatewayBaseUrl: string
  readonly seeded: SeededStore
  /** What each process is started with. */
  readonly environment: NodeJS.ProcessEnv
  /** Answers of every status are returned, none is thrown. */
  http: (at: Instance) => AxiosInstance
  /** The merchant, logged in; the session is good at every process. */
  admin: (at: Instance) => AxiosInstance
  /** To be called once, before `admin`. */
  logIn: (at: Instance) => Promise<void>
  /** Runs a script inside a Medusa process of its own, as `medusa exec`. */
  exec: (script: string, ...args: string[]) => Promise<void>
}

interface BuiltStoreOptions {
  /** The folder for what the processes print. */
  logs: string
  /** Without it the store has one process at a time. */
  redisUrl?: string
  /** What else each process gets. */
  environment?: Record<string, string>
}

/**
 * @param tell hears what is being done
 * @param endings get what ends it
 */
export async function startBuiltStore(
  tell: (what: string) => void,
  endings: Endings,
  { logs, redisUrl = "", environment = {} }: BuiltStoreOptions
): Promise<BuiltStore> {
  const keys = { secretKey: randomBytes(24).toString("hex"), token: randomBytes(12).toString("hex") }
  const sandbox = await startSandbox({
    port: 0,
    secretKey: keys.secretKey,
    auth: { bearerToken: keys.token },
  })
  endings.push(() => sandbox.close())
  const postgres = await startMigratedPostgres()
  endings.push(postgres.stop)
  await postgres.createDatabase(DATABASE)
  const connection = knex({ client: "pg", connection: postgres.url(DATABASE), pool: { min: 0, max: 10 } })
  endings.push(() => connection.destroy())
  const env = {
    ...storeEnvironment(postgres.url(DATABASE), redisUrl, sandbox, keys),
    ...environment,
  }
  let runs = 0
  const exec = async (script: string, ...args: string[]): Promise<void> => {
    const command = [process.execPath, MEDUSA_CLI, "exec", script, ...args]
    await run(`medusa exec ${script}`, {
      command,
      cwd: BUILT_STORE,
      env,
      log: join(logs, `exec.${++runs}.log`),
    })
  }

  tell("building the store")
  mkdirSync(join(STATE, "logs"), { recursive: true })
  await buildStore(env, new AbortController().signal)
  tell("seeding")
  const file = join(logs, "seeded.json")
  await exec("./src/scripts/seed.js", file)
  const seeded = JSON.parse(readFileSync(file, "utf8")) as SeededStore

  const http = ({ url }: Instance, headers = {}): AxiosInstance =>
    axios.create({ baseURL: url, headers, timeout: REQUEST_TIMEOUT_MS, validateStatus: () => true })
  let token = ""
  return {
    knex: connection,
    gateway: new GatewayControl(sandbox.url),
    gatewayBaseUrl: sandbox.baseUrl,
    seeded,
    environment: env,
    http,
    admin: (at) => http(at, { authorization: `Bearer ${token}` }),
    logIn: async (at) => {
      const { data } = await http(at).post<{ token: string }>("/auth/user/emailpass", seeded.admin)
      token = data.token
    },
    exec,
  }
}

function storeEnvironment(
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

/** CLUSTER_LOGS names a folder where the output of every process stays, for when something has to be found out. */
export function openLogs(): { folder: string; isTemporary: boolean } {
  const kept = process.env["CLUSTER_LOGS"]
  if (!kept) {
    return { folder: mkdtempSync(join(tmpdir(), "medusa-payment-crypto-logs-")), isTemporary: true }
  }
  mkdirSync(kept, { recursive: true })
  return { folder: resolve(kept), isTemporary: false }
}
