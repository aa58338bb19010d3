import { readProxy } from "../../../gateway"
import { notConfiguredError } from "../errors"
import { isPaused, PAUSED_MESSAGE } from "../paused"
import { describeProblem, type EffectiveSettings } from "../settings/effective-settings"
import { KEY_MESSAGES } from "../settings/encryption-keys"
import { toOptionName } from "../settings/names"
import type { ConfigModuleLike } from "../settings/registrations"
import type { SettingsRegistry } from "../settings/settings-registry"
import { listForeignPackages } from "./admin-packages"
import { describeLocking } from "./locking"
import type { ReplacedCompletion } from "./replaced-completion"

/** Commands of Medusa's that load the store and end. Several set the worker mode "server", which says nothing then. */
const ONE_OFF_COMMAND = /^(?:db:|plugin:|(?:user|exec|build)$)/
/** Postgres' codes for a table and for a column that do not exist. */
const NOT_MIGRATED = ["42P01", "42703"]

const isOneOff = (): boolean => ONE_OFF_COMMAND.test(process.argv[2] ?? "")

/** @returns why crypto is offered to nobody in this process although it may be configured, and the remedy */
export async function listBootFaults(
  settings: SettingsRegistry,
  completion: ReplacedCompletion
): Promise<string[]> {
  if (isOneOff()) {
    return []
  }
  const replacing = await completion.list()
  const asking = replacing.length === 0 ? [] : await settings.listWithoutCoreCompletion()
  return [
    ...(isPaused() ? [PAUSED_MESSAGE] : []),
    ...(asking.length === 0
      ? []
      : [
          `${asking.join(", ")}: not offered, because this store completes carts in its own way (${replacing.join(", ")}), and the plugin completes a paid cart with core's workflow. If core's completion counts in this store, set coreCompletion: true in the provider's options.`,
        ]),
  ]
}

/** @returns what will not work in a process that serves or works, and the remedy: a sentence or two for each */
export async function listBootWarnings(
  config: ConfigModuleLike,
  settings: SettingsRegistry
): Promise<string[]> {
  if (isOneOff()) {
    return []
  }
  if ((await settings.listRegistered()).length === 0) {
    return [
      'No payment provider of the plugin is registered, so nobody can pay with crypto. Add one under providers of the "@medusajs/medusa/payment" entry in medusa-config. Of several such entries, only the last one counts.',
    ]
  }
  const { fits, message } = describeLocking(config)
  return [
    ...(fits ? [] : [message]),
    ...proxyWarnings(),
    ...(config.admin?.disable === true ? [] : adminWarnings()),
    ...(settings.keys().state === "malformed" ? [KEY_MESSAGES.malformed] : []),
    ...(await settingsWarnings(settings)),
  ]
}

function proxyWarnings(): string[] {
  try {
    readProxy()
    return []
  } catch (error) {
    return [`${(error as Error).message}. The gateway cannot be called.`]
  }
}

const adminWarnings = (): string[] =>
  listForeignPackages(__filename).map(({ name, ours, theirs }) => {
    const found =
      ours === null ? `find no ${name}` : `get ${ours === theirs ? "another copy of " : ""}${name} ${ours}`
    return `The admin pages ${found}, and Medusa's dashboard has ${theirs}, so they will not work. Install ${name}@${theirs} in this store: docs/deployment.md, The router of the admin.`
  })

async function settingsWarnings(settings: SettingsRegistry): Promise<string[]> {
  try {
    return (await settings.list()).flatMap(describeUnusable)
  } catch (error) {
    return NOT_MIGRATED.includes((error as { code?: string }).code ?? "")
      ? [
          "The database is not migrated for this version of the plugin. Run npx medusa db:migrate and start again.",
        ]
      : []
  }
}

function describeUnusable({ registration, missing, problem }: EffectiveSettings): string[] {
  const why =
    missing.length > 0
      ? notConfiguredError(missing.map(toOptionName), describeProblem(problem)).message
      : describeProblem(problem)
  return why === null ? [] : [`${registration.providerId}: ${why}`]
}
