/**
 * `npm run test:tarball`: what `npm pack` makes is installed into a fresh store outside this repository, from the
 * registry with this repository's versions, and takes a crypto payment there. `npm run test:canary` does the same
 * with the newest version of Medusa that was published, a preview for example, and builds its admin;
 * `-- --medusa 2.21.0` does it with that version. Both also say which tables and columns of core's our SQL names and that
 * version does not have.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"

import { listenForInterrupts } from "../examples/demo/interrupts.mjs"
import { say, step } from "../examples/demo/progress.mjs"
import { requireGatewayAlone } from "./tarball/gateway-alone.mjs"
import { everyPackage, newestPublished, OWN_MEDUSA } from "./tarball/newest-medusa.mjs"
import { forgetNpmScript } from "./tarball/npm.mjs"
import { packTarball } from "./tarball/pack.mjs"
import { FreshStore } from "./tarball/store.mjs"
import { takePayment } from "./tarball/take-payment.mjs"

const endings = []
const { signal } = listenForInterrupts()
forgetNpmScript()
try {
  say(`\n${await testTarball()}`)
} catch (error) {
  say(`\n${signal.aborted ? "Interrupted." : String(error.stack)}`)
  process.exitCode = 1
} finally {
  for (const end of endings.reverse()) {
    await end()
  }
}

/** @returns {Promise<string>} what is proven */
async function testTarball() {
  const { values } = parseArgs({ options: { medusa: { type: "string" }, newest: { type: "boolean" } } })
  const given = values.medusa === undefined ? undefined : everyPackage(values.medusa)
  const versions = values.newest ? await step("Find the newest Medusa", newestPublished, list) : given
  if (values.newest && versions?.["@medusajs/medusa"] === OWN_MEDUSA) {
    return `Nothing newer than Medusa ${OWN_MEDUSA} is published. npm run test:tarball tests that version.`
  }
  if (Object.values(versions ?? {}).some((version) => version.includes("-"))) {
    // No range takes the preview of a version.
    process.env["npm_config_force"] = "true"
  }
  const directory = mkdtempSync(join(tmpdir(), "medusa-payment-crypto-tarball-"))
  endings.push(() => rmSync(directory, { recursive: true, force: true }))
  const logs = join(directory, "logs")
  mkdirSync(logs)
  const at = { directory, logs, signal }

  const tarball = await step("Build and pack", () => packTarball(at), String)
  await step("Require the gateway without Medusa", () => requireGatewayAlone(tarball, at))

  const store = new FreshStore(tarball, { ...at, versions })
  await step("Install into a fresh store", () => store.install())
  await takePayment(store, { ...at, withAdmin: values.newest ?? false, endings })
  await step("Check the types a store sees", () => store.checkTypes())
  return "The tarball works."
}

function list(versions) {
  return Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(", ")
}
