import { complete } from "../settings/example-settings.spec"
import type { ConfigModuleLike } from "../settings/registrations"
import { SettingsRegistry } from "../settings/settings-registry"
import type { SettingsStore } from "../settings/settings-store"
import { listBootProblems, type BootProblem } from "./boot-warnings"

class Provider {
  static identifier = "crypto"
}

const configWith = (providers: object[], others: object = {}): ConfigModuleLike => ({
  projectConfig: { workerMode: "shared" },
  modules: { payment: { dependencies: ["cryptoPayments"], options: { providers } } },
  ...others,
})
const registered = (options: object = complete) => ({
  resolve: { services: [Provider] },
  id: "default",
  options,
})

/** A store that gives no warning. */
const READY = configWith([registered()])
// As `medusa db:migrate` and `medusa user` set it, whatever the store has.
const SERVER = configWith([registered()], { projectConfig: { workerMode: "server" } })

const readAll = jest.fn<ReturnType<SettingsStore["readAll"]>, []>()
const listUnfinishedProviders = jest.fn<Promise<string[]>, []>()
const { argv, env } = process
beforeEach(() => {
  readAll.mockReset().mockResolvedValue(new Map())
  listUnfinishedProviders.mockReset().mockResolvedValue([])
})
afterEach(() => {
  process.argv = argv
  process.env = env
})

/** @param replacing what completes carts in core's place */
async function problemsOf(
  config: ConfigModuleLike,
  command: string,
  replacing: string[] = []
): Promise<BootProblem[]> {
  process.argv = ["node", "/store/node_modules/.bin/medusa", ...command.split(" ")]
  const settings = new SettingsRegistry(config, { readAll } as unknown as SettingsStore)
  return await listBootProblems(config, settings, replacing, { listUnfinishedProviders })
}

const messagesOf = (problems: BootProblem[], wanted: BootProblem["level"]): string[] =>
  problems.flatMap(({ level, message }) => (level === wanted ? [message] : []))

/** @returns what is warned of in a process of that command */
async function warningsOf(config: ConfigModuleLike, command = "start"): Promise<string[]> {
  return messagesOf(await problemsOf(config, command), "warn")
}

/** @returns what is logged as an error in a process of that command */
async function errorsOf(options: object, replacing: string[] = [], command = "start"): Promise<string[]> {
  const config = configWith([registered({ ...complete, ...options })])
  return messagesOf(await problemsOf(config, command, replacing), "error")
}

describe("the error that the store is paused", () => {
  it("is logged once by a process that serves, and by no command that ends by itself", async () => {
    process.env = { ...env, CRYPTO_PAYMENTS_PAUSED: "true" }
    expect(await errorsOf({})).toEqual([expect.stringContaining("CRYPTO_PAYMENTS_PAUSED is set")])
    expect(await errorsOf({}, [], "db:migrate")).toEqual([])
  })
})

describe("the error that something completes carts in core's place", () => {
  const REPLACING = ["workflow complete-cart-in-parts", "workflow vendor-cart-completion"]

  it("names all of it, and the option", async () => {
    const [fault, ...others] = await errorsOf({}, REPLACING)
    expect(fault).toContain("pp_crypto_default: not offered")
    expect(fault).toContain(REPLACING.join(", "))
    expect(fault).toContain("coreCompletion: true")
    expect(others).toEqual([])
  })

  it("is not logged once the merchant says that core's completion counts, nor where nothing does", async () => {
    expect(await errorsOf({ coreCompletion: true }, REPLACING)).toEqual([])
    expect(await errorsOf({})).toEqual([])
  })
})

describe("the warning that carts are not locked between instances", () => {
  it.each(["start", "develop", "start --cluster 2", ""])("is given by medusa %s", async (command) => {
    expect(await warningsOf(SERVER, command)).toEqual([
      expect.stringContaining("this store seems to run in several instances"),
    ])
  })

  it.each(["db:migrate", "db:migrate:scripts", "db:sync-links", "user", "exec"])(
    "is not given by medusa %s, which ends by itself",
    async (command) => {
      expect(await warningsOf(SERVER, command)).toEqual([])
    }
  )
})

describe("the warning that medusa-config does not register a provider", () => {
  it("names each one that has unfinished payments, and the id to register", async () => {
    listUnfinishedProviders.mockResolvedValue(["pp_crypto_default", "pp_crypto_gone"])
    expect(await warningsOf(READY)).toEqual([expect.stringMatching(/"pp_crypto_gone".*the id "gone"/)])
    expect(await warningsOf(READY, "db:migrate")).toEqual([])
  })
})

describe("the warning that nobody can pay", () => {
  it("is given where no provider is registered", async () => {
    expect(await warningsOf(configWith([]))).toEqual([
      expect.stringContaining("No payment provider of the plugin is registered"),
    ])
  })

  it("names what a provider lacks", async () => {
    const { baseUrl: _, ...others } = complete
    expect(
      await warningsOf(configWith([registered({ ...others, auth: { type: "bearer", token: "" } })]))
    ).toEqual([expect.stringMatching(/^pp_crypto_default: .* Missing: baseUrl, auth\.token\./)])
  })

  it("names a provider whose limits cross", async () => {
    const values = { max_amount: { usd: "4.00" } }
    readAll.mockResolvedValue(
      new Map([["pp_crypto_default", { version: 1, updated_at: null, values, secrets: {} }]])
    )
    expect(await warningsOf(configWith([registered({ ...complete, minAmount: { usd: "5.00" } })]))).toEqual([
      expect.stringMatching(/^pp_crypto_default: .* smallest amount .* above the largest/),
    ])
  })

  it("says that the key of saved secrets is malformed", async () => {
    process.env = { ...env, CRYPTO_PAYMENTS_ENCRYPTION_KEY: "too short" }
    expect(await warningsOf(READY)).toEqual([
      expect.stringContaining("CRYPTO_PAYMENTS_ENCRYPTION_KEY is malformed"),
    ])
  })

  it.each(["42P01", "42703"])("says how to migrate the database (%s)", async (code) => {
    readAll.mockRejectedValue(Object.assign(new Error("relation"), { code }))
    expect(await warningsOf(READY)).toEqual([expect.stringContaining("Run npx medusa db:migrate")])
  })
})
