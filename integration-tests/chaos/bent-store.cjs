// Loaded into each process of the store before Medusa: what a merchant's own code and a machine's clock may do.
//
// CHAOS_CLOCK_MS    this process' clock is ahead by so many milliseconds
// CHAOS_HOOK_FILE   while this file is there, the merchant's own code fails for each new order, and core takes the order back
const { existsSync } = require("node:fs")
const { createRequire } = require("node:module")
const { join } = require("node:path")

const aheadMs = Number(process.env["CHAOS_CLOCK_MS"] ?? 0)
if (aheadMs !== 0) {
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      super(...(args.length === 0 ? [RealDate.now() + aheadMs] : args))
    }

    static now() {
      return RealDate.now() + aheadMs
    }
  }
}

const hookFile = process.env["CHAOS_HOOK_FILE"]
if (hookFile !== undefined) {
  const { completeCartWorkflow } = createRequire(join(process.cwd(), "package.json"))(
    "@medusajs/medusa/core-flows"
  )
  completeCartWorkflow.hooks.orderCreated(() => {
    if (existsSync(hookFile)) {
      throw new Error("the merchant's system is down")
    }
  })
}
