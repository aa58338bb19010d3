import * as coreFlows from "@medusajs/medusa/core-flows"
import { heard, refusing } from "../heard"

/** Core exports some workflows under two names. */
const handled = new Set<string>()

type Hook = (handler: () => Promise<void>) => void

/** Every hook of every workflow of core's. Core takes one handler for each hook, and a second one stops the store's start. */
for (const flow of Object.values(coreFlows) as { getName?: () => string; hooks?: Record<string, Hook> }[]) {
  for (const [hook, register] of Object.entries(flow.hooks ?? {})) {
    const name = `${String(flow.getName?.())}.${hook}`
    if (handled.has(name)) {
      continue
    }
    handled.add(name)
    register(async () => {
      heard.push(name)
      if (refusing.has(name)) {
        throw new Error("the other plugin refuses")
      }
    })
  }
}
