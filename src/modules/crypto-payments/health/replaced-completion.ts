import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import path from "node:path"
import { configManager } from "@medusajs/framework/config"
import { WorkflowManager } from "@medusajs/framework/orchestration"
import { dynamicImport, getResolvedPlugins, isFileSkipped } from "@medusajs/framework/utils"
import type { Registration } from "../settings/options-schema"
import type { ConfigModuleLike } from "../settings/registrations"

/** Each with its steps. */
type Workflows = Iterable<[id: string, workflow: { flow_: unknown }]>

/** Medusa exports it without a type. */
const registered = WorkflowManager as { getWorkflows: () => Map<string, { flow_: unknown }> }

const CORES_OWN = "complete-cart"
/** Medusa's name of the step by which another workflow runs core's. None of core's own does. */
const CORES_OWN_AS_STEP = /"action":"complete-cart-as-step"/
const COMPLETE = /^\[[^/\\]+[/\\]complete[/\\]route\.[jt]s$/

/**
 * What completes carts in place of core's own route and workflow. A settle runs core's workflow, so in such a store it
 * could place a wrong order, or a second one.
 */
export class ReplacedCompletion {
  private found: Promise<string[]> | undefined

  constructor(private readonly config: ConfigModuleLike) {}

  /**
   * Read once, when the store has started: until then not every workflow is registered.
   *
   * @returns names for the merchant; empty in a store that completes carts as core does
   */
  async list(): Promise<string[]> {
    return await (this.found ??= this.read())
  }

  private async read(): Promise<string[]> {
    return [...(await listRoutes(this.config)), ...listWorkflows()]
  }

  /** Whether core's completion may be run for a cart: nothing replaces it, or the merchant says that it counts. */
  async mayComplete({ core_completion }: Pick<Registration, "core_completion">): Promise<boolean> {
    return core_completion || (await this.list()).length === 0
  }
}

/**
 * A workflow that is named after completing a cart, or has core's as a step, as one that makes a subscription or an order
 * for each vendor of the completed cart. Another one under core's own name stops the boot: Medusa lets no workflow be
 * registered twice with different steps.
 */
export function listWorkflows(workflows: Workflows = registered.getWorkflows()): string[] {
  return [...workflows].flatMap(([id, { flow_ }]) => {
    const words = id.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase())
    const isCompletion = words.some((word) => ["complete", "completion"].includes(word))
    const isNamed = isCompletion && words.includes("cart")
    const goesOn = CORES_OWN_AS_STEP.test(JSON.stringify(flow_))
    return id !== CORES_OWN && (isNamed || goesOn) ? [`workflow ${id}`] : []
  })
}

/**
 * Medusa loads the `api` folders of core, of the plugins and of the store one after the other, and the last route of a
 * path wins. Express does not say from which file a handler is, so this looks where Medusa's loader looks.
 */
async function listRoutes(config: ConfigModuleLike): Promise<string[]> {
  // Its type is that of the whole configuration; only `plugins` is read.
  const asked = config as Parameters<typeof getResolvedPlugins>[1]
  const plugins = await getResolvedPlugins(configManager.baseDir, asked, true)
  const found = await Promise.all(plugins.map(async ({ resolve }) => await findRoutes(resolve)))
  return found.flat().map((file) => `route ${path.relative(configManager.baseDir, file)}`)
}

/** Files that answer `POST /store/carts/:id/complete`, whatever they call the parameter. */
async function findRoutes(source: string): Promise<string[]> {
  const carts = path.join(source, "api", "store", "carts")
  // Most stores and plugins have no such folder.
  const names = existsSync(carts) ? await readdir(carts, { recursive: true }) : []
  const own = names.filter((name) => COMPLETE.test(name)).map((name) => path.join(carts, name))
  const routes = await Promise.all(own.map(async (file) => (await dynamicImport(file)) as { POST?: unknown }))
  return own.filter((_, index) => typeof routes[index]?.POST === "function" && !isFileSkipped(routes[index]))
}
