import type { LoaderOptions } from "@medusajs/framework/types"
import checkRegistrations from "../loaders/check-registrations"

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

const { argv } = process
afterEach(() => {
  process.argv = argv
})

/** @returns what is warned of in a process of that command */
async function warningsOf(...command: string[]): Promise<string[]> {
  process.argv = ["node", "/store/node_modules/.bin/medusa", ...command]
  const warnings: string[] = []
  const logger = { warn: (text: string) => warnings.push(text) }
  const resolve = (key: string): unknown => (key === "configModule" ? CONFIG : logger)
  await checkRegistrations({ container: { resolve } } as unknown as LoaderOptions)
  return warnings
}

describe("the warning that carts are not locked between instances", () => {
  it.each([["start"], ["develop"], ["start --cluster 2"], [""]])("is given by medusa %s", async (command) => {
    const warnings = await warningsOf(...command.split(" "))
    expect(warnings).toEqual([expect.stringContaining("this store seems to run in several instances")])
  })

  it.each(["db:migrate", "db:migrate:scripts", "db:sync-links", "user", "exec"])(
    "is not given by medusa %s, which ends by itself",
    async (command) => {
      expect(await warningsOf(command)).toEqual([])
    }
  )
})
