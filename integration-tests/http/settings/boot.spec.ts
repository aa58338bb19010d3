import { execFile } from "node:child_process"
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import os from "node:os"
import path from "node:path"

const REPOSITORY = path.resolve(__dirname, "../../..")
const STORE = path.join(REPOSITORY, "examples/store")
const MEDUSA = path.join(REPOSITORY, "node_modules/@medusajs/cli/cli.js")

/** It gives up after ten seconds or so. */
const LIMIT_MS = 250_000

jest.setTimeout(LIMIT_MS + 50_000)

describe("starting a store whose medusa-config is wrong", () => {
  let directory: string

  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), "store-"))
    for (const file of ["package.json", "medusa-config.ts"]) {
      await cp(path.join(STORE, file), path.join(directory, file))
    }
    // The store's own extends the repository's, which is not there.
    const compilerOptions = { target: "ES2022", module: "Node16", esModuleInterop: true, skipLibCheck: true }
    await writeFile(path.join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions }))
    await symlink(path.join(REPOSITORY, "node_modules"), path.join(directory, "node_modules"))
  })
  afterEach(async () => {
    await rm(directory, { recursive: true })
  })

  /** @returns what the store printed before it gave up */
  async function failToStart(environment: Record<string, string> = {}): Promise<string> {
    const env = {
      ...process.env,
      DATABASE_URL: process.env["POSTGRES_OF_TESTS"],
      ADMIN_DISABLED: "true",
      NODE_ENV: "development",
      NODE_OPTIONS: "",
      CRYPTO_PAYMENTS_SECRET_KEY: "very-secret",
      ...environment,
    }
    return await new Promise((resolve, reject) => {
      const options = { cwd: directory, env, timeout: LIMIT_MS, killSignal: "SIGKILL" as const }
      const starting = execFile(
        process.execPath,
        [MEDUSA, "start", "-p", "0"],
        options,
        (error, stdout, stderr) => {
          if (error === null || starting.killed) {
            reject(new Error(`the store started:\n${stdout}${stderr}`))
          }
          resolve(stdout + stderr)
        }
      )
      // So that a store that starts, which it must not, is not waited for.
      starting.stdout?.on("data", (output: unknown) => {
        if (String(output).includes("Server is ready")) {
          starting.kill("SIGKILL")
        }
      })
    })
  }

  it("stops and names the line when dependencies is missing", async () => {
    const config = path.join(directory, "medusa-config.ts")
    const text = await readFile(config, "utf8")
    await writeFile(config, text.replace('dependencies: ["cryptoPayments"],', ""))
    expect(await failToStart()).toContain(
      'Add dependencies: ["cryptoPayments"] to the "@medusajs/medusa/payment" entry'
    )
  })

  it("stops and names the line when plugins does not have the plugin", async () => {
    const config = path.join(directory, "medusa-config.ts")
    const text = await readFile(config, "utf8")
    const without = text.replace(/plugins: \[\{ resolve: "medusa-payment-crypto", options: \{\} \}\],/, "")
    expect(without).not.toBe(text)
    await writeFile(config, without)
    expect(await failToStart()).toContain(
      'the plugin is not loaded. Add { resolve: "medusa-payment-crypto", options: {} } to plugins.'
    )
  })

  it("stops and names the option that is malformed, and prints no secret", async () => {
    const output = await failToStart({ CRYPTO_PAYMENTS_BASE_URL: "http://gateway.example/v1" })
    expect(output).toContain('provider "default": option "baseUrl" is malformed')
    expect(output).not.toMatch(/very-secret|gateway\.example/)
  })
})
