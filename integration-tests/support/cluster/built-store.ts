import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { knex } from "@medusajs/framework/mikro-orm/knex"
import axios, { type AxiosInstance } from "axios"
import { startSandbox } from "../../../dist/sandbox"
import type { SeededStore } from "../../../examples/store/src/seed"
import { logIn } from "../admin-api"
import { GatewayControl } from "../gateway-control"
import { WITH_PUBLIC_URL } from "../pay-page"
import "../../setup/clean-environment"
import type { Instance } from "./instance"
import { plain } from "./kept"
import { BUILT_STORE, LOGS, MEDUSA_CLI } from "./paths"

const DATABASE = "store"
const REQUEST_TIMEOUT_MS = 60_000

/**
 * The built and seeded example store on a Postgres of its own, with the sandbox. Its processes come and go.
 *
 * @param tell hears what is being done
 * @param environment what else each process gets. Only with REDIS_URL are there several
 */
export async function startBuiltStore(
  tell: (what: string) => void,
  environment: Record<string, string> = {}
) {
  const secretKey = randomBytes(24).toString("hex")
  const bearerToken = randomBytes(12).toString("hex")
  const sandbox = await startSandbox({ port: 0, secretKey, auth: { bearerToken } })
  // A folder where the output of every process stays, for when something has to be found out.
  const keptLogs = process.env["CLUSTER_LOGS"]
  const logs = resolve(
    keptLogs || join(tmpdir(), `medusa-payment-crypto-logs-${randomBytes(4).toString("hex")}`)
  )
  // Removed with Postgres' own files, also when this process is killed.
  const { buildStore, startMigratedPostgres } = await plain()
  const postgres = await startMigratedPostgres(keptLogs ? [] : [logs])
  mkdirSync(logs, { recursive: true })
  await postgres.createDatabase(DATABASE)
  const connection = knex({ client: "pg", connection: postgres.url(DATABASE), pool: { min: 0, max: 10 } })
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: "production",
    // The test runner's flags are not the store's.
    NODE_OPTIONS: "",
    MEDUSA_DISABLE_TELEMETRY: "1",
    DATABASE_URL: postgres.url(DATABASE),
    ADMIN_DISABLED: "true",
    JWT_SECRET: randomBytes(24).toString("hex"),
    COOKIE_SECRET: randomBytes(24).toString("hex"),
    CRYPTO_PAYMENTS_BASE_URL: sandbox.baseUrl,
    CRYPTO_PAYMENTS_SECRET_KEY: secretKey,
    CRYPTO_PAYMENTS_TOKEN: bearerToken,
    ...WITH_PUBLIC_URL,
    ...environment,
  }
  /** Runs a script inside a Medusa process of its own, as `medusa exec`. */
  const exec = async (script: string, ...args: string[]) =>
    await promisify(execFile)(process.execPath, [MEDUSA_CLI, "exec", script, ...args], {
      cwd: BUILT_STORE,
      env,
    })

  tell("building the store")
  mkdirSync(LOGS, { recursive: true })
  await buildStore(env, false, new AbortController().signal)
  tell("seeding")
  const file = join(logs, "seeded.json")
  await exec("./src/scripts/seed.js", file)
  const seeded = JSON.parse(readFileSync(file, "utf8")) as SeededStore

  /** Answers of every status are returned, none is thrown. */
  const client = (baseURL: string, headers = {}): AxiosInstance =>
    axios.create({ baseURL, headers, timeout: REQUEST_TIMEOUT_MS, validateStatus: () => true })
  const http = ({ url }: Instance): AxiosInstance => client(url)
  let merchant = {}
  return {
    knex: connection,
    gateway: new GatewayControl(sandbox.url),
    seeded,
    /** The folder for what the processes print. */
    logs,
    /** What each process is started with. */
    environment: env,
    http,
    /** The merchant, logged in; the session is good at every process. */
    admin: ({ url }: Instance) => client(`${url}/admin`, merchant),
    /** To be called once, before `admin`. */
    logIn: async (at: Instance) => {
      merchant = (await logIn({ http: http(at), seeded })).headers
    },
    exec,
    stop: async () => {
      await connection.destroy()
      await postgres.stop()
      await sandbox.close()
    },
  }
}
