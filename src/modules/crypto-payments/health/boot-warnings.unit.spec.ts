import { complete } from "../settings/example-settings.spec"
import type { ConfigModuleLike } from "../settings/registrations"
import { SettingsRegistry } from "../settings/settings-registry"
import { NOTHING_STORED, type SettingsStore } from "../settings/settings-store"
import { listForeignPackages } from "./admin-packages"
import { listBootFaults, listBootWarnings } from "./boot-warnings"
import type { ReplacedCompletion } from "./replaced-completion"

jest.mock("./admin-packages", () => ({ listForeignPackages: jest.fn(() => []) }))

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
const { argv, env } = process
beforeEach(() => {
  readAll.mockReset().mockResolvedValue(new Map())
})
afterEach(() => {
  process.argv = argv
  process.env = env
  jest.mocked(listForeignPackages).mockReset().mockReturnValue([])
})

/** @returns what is warned of in a process of that command */
async function warningsOf(config: ConfigModuleLike, command = "start"): Promise<string[]> {
  process.argv = ["node", "/store/node_modules/.bin/medusa", ...command.split(" ")]
  const settings = new SettingsRegistry(config, { readAll } as unknown as SettingsStore)
  return await listBootWarnings(config, settings)
}

/** @returns what is logged as an error in a process of that command */
async function faultsOf(options: object, replacing: string[] = [], command = "start"): Promise<string[]> {
  process.argv = ["node", "/store/node_modules/.bin/medusa", ...command.split(" ")]
  const config = configWith([registered({ ...complete, ...options })])
  const settings = new SettingsRegistry(config, { readAll } as unknown as SettingsStore)
  const list = async (): Promise<string[]> => await Promise.resolve(replacing)
  return await listBootFaults(settings, { list } as ReplacedCompletion)
}

describe("the error that the store is paused", () => {
  it("is logged once by a process that serves, and by no command that ends by itself", async () => {
    process.env = { ...env, CRYPTO_PAYMENTS_PAUSED: "true" }
    expect(await faultsOf({})).toEqual([expect.stringContaining("CRYPTO_PAYMENTS_PAUSED is set")])
    expect(await faultsOf({}, [], "db:migrate")).toEqual([])
  })
})

describe("the error that something completes carts in core's place", () => {
  const REPLACING = ["route src/api/store/carts/[id]/complete/route.ts", "workflow complete-cart-in-parts"]

  it("names all of it, and the option", async () => {
    const [fault, ...others] = await faultsOf({}, REPLACING)
    expect(fault).toContain("pp_crypto_default: not offered")
    expect(fault).toContain(REPLACING.join(", "))
    expect(fault).toContain("coreCompletion: true")
    expect(others).toEqual([])
  })

  it("is not logged once the merchant says that core's completion counts, nor where nothing does", async () => {
    expect(await faultsOf({ coreCompletion: true }, REPLACING)).toEqual([])
    expect(await faultsOf({})).toEqual([])
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

describe("the warning that the gateway cannot be called", () => {
  it.each([
    [
      "socks5://proxy.example:1080",
      [expect.stringContaining("HTTPS_PROXY must be an address such as http://")],
    ],
    ["http://proxy.example:3128", []],
  ])("for HTTPS_PROXY=%s", async (address, warnings) => {
    process.env = { ...env, https_proxy: undefined, HTTPS_PROXY: address }
    expect(await warningsOf(READY)).toEqual(warnings)
  })
})

describe("the warning that the admin pages will not work", () => {
  const foreign = (name: string, ours: string | null, theirs: string) => {
    jest.mocked(listForeignPackages).mockReturnValue([{ name, ours, theirs }])
  }

  it.each([
    ["6.30.4", "get react-router-dom 6.30.4, and Medusa's dashboard has 7.18.2"],
    ["7.18.2", "get another copy of react-router-dom 7.18.2, and Medusa's dashboard has 7.18.2"],
    [null, "find no react-router-dom, and Medusa's dashboard has 7.18.2"],
  ])("says what they get (%s), what the dashboard has, and the remedy", async (ours, words) => {
    foreign("react-router-dom", ours, "7.18.2")
    const [warning, ...others] = await warningsOf(READY)
    expect(warning).toContain(`The admin pages ${words}`)
    expect(warning).toContain("Install react-router-dom@7.18.2 in this store")
    expect(others).toEqual([])
  })

  it("is not given where the admin is disabled", async () => {
    foreign("react-i18next", "15.7.4", "13.5.0")
    expect(await warningsOf({ ...READY, admin: { disable: true } })).toEqual([])
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

  it("is given where saved and configured limits cross", async () => {
    const saved = { ...NOTHING_STORED, options: { max_amount: { usd: "5" } } }
    readAll.mockResolvedValue(new Map([["pp_crypto_default", saved]]))
    expect(await warningsOf(configWith([registered({ ...complete, minAmount: { usd: "10" } })]))).toEqual([
      expect.stringContaining("In one currency the smallest amount is above the largest"),
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
