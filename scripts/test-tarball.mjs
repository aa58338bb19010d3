/**
 * `npm run test:tarball`: what `npm pack` makes is installed into a fresh store outside this repository, from the
 * registry as a merchant would, and takes a crypto payment there.
 */
import { randomBytes } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { checkOut } from "../examples/demo/check-out.mjs"
import { listenForInterrupts } from "../examples/demo/interrupts.mjs"
import { say, step } from "../examples/demo/progress.mjs"
import { SHOPPERS } from "../examples/demo/shopper.mjs"
import { storeEnvironment } from "../examples/demo/store.mjs"
import { freePort, startPostgres } from "../integration-tests/support/postgres.mjs"
import { requireGatewayAlone } from "./tarball/gateway-alone.mjs"
import { forgetNpmScript } from "./tarball/npm.mjs"
import { packTarball } from "./tarball/pack.mjs"
import { startPackedSandbox } from "./tarball/sandbox.mjs"
import { FreshStore } from "./tarball/store.mjs"

const DATABASE = "store"

/** @type {(() => Promise<void> | void)[]} */
const endings = []
const { signal } = listenForInterrupts()
forgetNpmScript()
try {
  await testTarball()
  say("\nThe tarball works.")
} catch (error) {
  say(`\n${signal.aborted ? "Interrupted." : String(/** @type {Error} */ (error).stack)}`)
  process.exitCode = 1
} finally {
  for (const end of endings.reverse()) {
    await end()
  }
}

async function testTarball() {
  const directory = mkdtempSync(join(tmpdir(), "medusa-payment-crypto-tarball-"))
  endings.push(() => rmSync(directory, { recursive: true, force: true }))
  const logs = join(directory, "logs")
  mkdirSync(logs)
  const at = { directory, logs, signal }

  const tarball = await step("Build and pack", () => packTarball(at), String)
  await step("Require the gateway without Medusa", () => requireGatewayAlone(tarball, at))

  const store = new FreshStore(tarball, at)
  await step("Install into a fresh store", () => store.install())
  await step("Check the types a store sees", () => store.checkTypes())

  const postgres = await step("Start Postgres", startPostgres)
  endings.push(postgres.stop)
  await postgres.createDatabase(DATABASE)
  const port = await freePort()
  const storeUrl = `http://localhost:${String(port)}`
  const gateway = { secretKey: randomBytes(24).toString("hex"), token: randomBytes(12).toString("hex") }
  const sandbox = await step("Start the sandbox from the tarball", async () =>
    startPackedSandbox(store.root, { ...gateway, port: await freePort(), storeUrl }, at)
  )
  endings.push(sandbox.stop)

  const databaseUrl = postgres.url(DATABASE)
  const env = storeEnvironment({
    databaseUrl,
    storeUrl,
    gateway: { ...gateway, baseUrl: sandbox.baseUrl },
    withAdmin: false,
  })
  await step("Build the store", () => store.build(env))
  await step("Migrate the database", () => store.migrate(env))
  const seeded = await step("Seed the store", () => store.seed(env))
  const running = await step("Start the store", () => store.start(port, env))
  endings.push(running.stop)

  say("\nA shopper checks out")
  await checkOut({ storeUrl, databaseUrl, seeded, store: running }, SHOPPERS.sam, signal)
}
