import type { LoaderOptions } from "@medusajs/framework/types"
import { listForeignPackages } from "./admin-packages"
import checkRegistrations from "../loaders/check-registrations"

jest.mock("./admin-packages", () => ({ listForeignPackages: jest.fn(() => []) }))

class Provider {
  static identifier = "crypto"
}

const CONFIG = {
  // As `medusa db:migrate` and `medusa user` set it, whatever the store has.
  projectConfig: { workerMode: "server" },
  modules: {
    payment: {
      dependencies: ["cryptoPayments"],
      options: { providers: [{ resolve: { services: [Provider] }, id: "default" }] },
    },
  },
}

/** A store that gives no warning. */
const ALONE = { ...CONFIG, projectConfig: { workerMode: "shared" } }

const { argv, env } = process
afterEach(() => {
  process.argv = argv
  process.env = env
  jest.mocked(listForeignPackages).mockReset().mockReturnValue([])
})

/** @returns what is warned of in a process of that command */
async function warningsOf(command: string[], config: object = CONFIG): Promise<string[]> {
  process.argv = ["node", "/store/node_modules/.bin/medusa", ...command]
  const warnings: string[] = []
  const logger = { warn: (text: string) => warnings.push(text) }
  const resolve = (key: string): unknown => (key === "configModule" ? config : logger)
  await checkRegistrations({ container: { resolve } } as unknown as LoaderOptions)
  return warnings
}

describe("the warning that carts are not locked between instances", () => {
  it.each([["start"], ["develop"], ["start --cluster 2"], [""]])("is given by medusa %s", async (command) => {
    const warnings = await warningsOf(command.split(" "))
    expect(warnings).toEqual([expect.stringContaining("this store seems to run in several instances")])
  })

  it.each(["db:migrate", "db:migrate:scripts", "db:sync-links", "user", "exec"])(
    "is not given by medusa %s, which ends by itself",
    async (command) => {
      expect(await warningsOf([command])).toEqual([])
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
    expect(await warningsOf(["start"], ALONE)).toEqual(warnings)
  })
})

describe("the warning that the admin pages will not work", () => {
  beforeEach(() => {
    jest.mocked(listForeignPackages).mockReturnValue(["react-router-dom", "react-i18next"])
  })

  it("names the packages that are not the dashboard's, and the page with the remedy", async () => {
    const [warning, ...others] = await warningsOf(["start"], ALONE)
    expect(warning).toContain("another copy of react-router-dom and react-i18next than Medusa's dashboard")
    expect(warning).toContain("docs/deployment.md, The router of the admin")
    expect(others).toEqual([])
  })

  it("is not given where the admin is disabled", async () => {
    expect(await warningsOf(["start"], { ...ALONE, admin: { disable: true } })).toEqual([])
  })
})
