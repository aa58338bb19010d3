import { mkdirSync, rmSync } from "node:fs"

import { DemoProblem } from "./demo-problem.mjs"
import { listenForInterrupts } from "./interrupts.mjs"
import { takeLock } from "./lock.mjs"
import { readOptions, USAGE } from "./options.mjs"
import { LOCK, LOGS } from "./paths.mjs"
import { requireFreePort } from "./ports.mjs"
import { say } from "./progress.mjs"
import { checkOut, leaveWork } from "./check-out.mjs"
import { SHOPPERS } from "./shopper.mjs"
import { setUp } from "./set-up.mjs"

/** @typedef {(end: () => Promise<void> | void) => void} AtEnd registers what to undo, last first */

/**
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function runDemo(args) {
  const interrupts = listenForInterrupts()
  // When the terminal is gone there is nobody to tell, but still much to put away.
  process.stdout.on("error", () => undefined)
  /** @type {(() => Promise<void> | void)[]} */
  const endings = []
  try {
    await demonstrate(args, interrupts.signal, (end) => endings.push(end))
    return 0
  } catch (error) {
    // Whatever was going on fails in its own way when it is interrupted.
    if (interrupts.signal.aborted) {
      const { exitCode } = /** @type {import("./interrupts.mjs").Interrupted} */ (interrupts.signal.reason)
      say("\nInterrupted. Ending what was started…")
      return exitCode
    }
    say(`\n${error instanceof DemoProblem ? error.message : String(/** @type {Error} */ (error).stack)}`)
    return 1
  } finally {
    for (const end of endings.reverse()) {
      await end()
    }
    if (interrupts.signal.aborted) {
      say("Everything has ended.")
    }
  }
}

/**
 * @param {string[]} args
 * @param {AbortSignal} signal
 * @param {AtEnd} atEnd
 */
async function demonstrate(args, signal, atEnd) {
  const options = readOptions(args)
  if (options.help) {
    say(USAGE)
    return
  }
  const releaseLock = takeLock(
    LOCK,
    "demo/main.mjs",
    (pid) =>
      new DemoProblem(
        `The demo already runs here, as process ${String(pid)}. End it with Ctrl-C in its terminal ` +
          `(or: kill ${String(pid)}). If that process is something else, delete ${LOCK}`
      )
  )
  atEnd(releaseLock)
  await requireFreePort(options.port, "store", "--port")
  await requireFreePort(options.sandboxPort, "payment sandbox", "--sandbox-port")
  if (!options.once) {
    await requireFreePort(options.shopPort, "shop", "--shop-port")
  }
  rmSync(LOGS, { recursive: true, force: true })
  mkdirSync(LOGS)

  say("Setting up")
  const setting = await setUp(options, signal, atEnd)
  say("\nA shopper in the Emirates checks out")
  await checkOut(setting, SHOPPERS.noor, signal)
  say("\nA shopper in the United States checks out")
  await checkOut(setting, SHOPPERS.sam, signal)
  if (options.once) {
    return
  }
  say("\nOther payments leave a case of every kind")
  say(addresses(setting, await leaveWork(setting, signal)))
  await Promise.race([setting.store.ended, untilAborted(signal)])
  signal.throwIfAborted()
  throw new DemoProblem("The store ended by itself. See .demo/logs/store.log")
}

/**
 * @param {import("./set-up.mjs").Setting} setting
 * @param {string} paymentLink
 */
function addresses({ storeUrl, shopUrl, sandboxUrl, databaseUrl, seeded }, paymentLink) {
  return `
The store stays up until Ctrl-C:
  Shop          ${shopUrl}   (buy a coffee: product, cart, payment page and back, in English or Arabic)
  Admin         ${storeUrl}/app   (${seeded.admin.email}, password ${seeded.admin.password})
  Cases         ${storeUrl}/app/crypto-payments?tab=attention   (what those payments left to you; ground coffee is sold out)
  Payment page  ${paymentLink}   (one more cart, waiting for you to pay)
  Store API     ${storeUrl}/store   (header x-publishable-api-key: ${seeded.publishableKey})
  Notifications ${storeUrl}/hooks/payment/crypto_default
  Sandbox       ${sandboxUrl}   (all payment requests and their notifications; control API: ${sandboxUrl}/control/)
  Postgres      ${databaseUrl}`
}

/** @param {AbortSignal} signal */
function untilAborted(signal) {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined))
  })
}
