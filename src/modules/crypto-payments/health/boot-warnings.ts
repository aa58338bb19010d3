import { describeMissingProvider, notConfiguredError } from "../errors"
import { isPaused, PAUSED_MESSAGE } from "../paused"
import type { PaymentRequestStore } from "../payment-requests/store"
import { describeProblem, type EffectiveSettings } from "../settings/effective-settings"
import { KEY_MESSAGES, readEncryptionKeys } from "../settings/encryption-keys"
import { toOptionName } from "../settings/names"
import type { ConfigModuleLike } from "../settings/registrations"
import type { SettingsRegistry } from "../settings/settings-registry"
import { describeLocking } from "./locking"

/** Commands of Medusa's that load the store and end. Several set the worker mode "server", which says nothing then. */
const ONE_OFF_COMMAND = /^(?:db:|plugin:|(?:user|exec|build)$)/
/** Postgres' codes for a table and for a column that do not exist. */
const NOT_MIGRATED = ["42P01", "42703"]

/** For the log, with the remedy. `error`: crypto is offered to nobody in this process although it may be configured. */
export interface BootProblem {
  level: "error" | "warn"
  message: string
}

/**
 * @param replacing what completes carts in core's place
 * @returns what will not work in a process that serves or works, a sentence or two for each
 */
export async function listBootProblems(
  config: ConfigModuleLike,
  settings: SettingsRegistry,
  replacing: string[],
  requests: Pick<PaymentRequestStore, "listUnfinishedProviders">
): Promise<BootProblem[]> {
  if (ONE_OFF_COMMAND.test(process.argv[2] ?? "")) {
    return []
  }
  const errors = [...(isPaused() ? [PAUSED_MESSAGE] : []), ...(await completionErrors(settings, replacing))]
  const warnings = [...(await listWarnings(config, settings)), ...(await storedWarnings(settings, requests))]
  return [
    ...errors.map((message) => ({ level: "error" as const, message })),
    ...warnings.map((message) => ({ level: "warn" as const, message })),
  ]
}

async function completionErrors(settings: SettingsRegistry, replacing: string[]): Promise<string[]> {
  const all = replacing.length === 0 ? [] : [...(await settings.listRegistrations()).values()]
  const asking = all.flatMap(({ providerId, coreCompletion }) => (coreCompletion ? [] : providerId))
  return asking.length === 0
    ? []
    : [
        `${asking.join(", ")}: not offered, because this store completes carts in its own way (${replacing.join(", ")}), and the plugin completes a paid cart with core's workflow. If core's completion counts in this store, set coreCompletion: true in the provider's options.`,
      ]
}

async function listWarnings(config: ConfigModuleLike, settings: SettingsRegistry): Promise<string[]> {
  if ((await settings.listRegistered()).length === 0) {
    return [
      'No payment provider of the plugin is registered, so nobody can pay with crypto. Add one under providers of the "@medusajs/medusa/payment" entry in medusa-config. Of several such entries, only the last one counts.',
    ]
  }
  const { message: lockingProblem } = describeLocking(config)
  return [
    ...(lockingProblem === null ? [] : [lockingProblem]),
    ...(readEncryptionKeys().state === "malformed" ? [KEY_MESSAGES.malformed] : []),
  ]
}

async function storedWarnings(
  settings: SettingsRegistry,
  requests: Pick<PaymentRequestStore, "listUnfinishedProviders">
): Promise<string[]> {
  try {
    const registered = await settings.listRegistered()
    const missing = (await requests.listUnfinishedProviders()).filter((id) => !registered.includes(id))
    return [
      ...(await settings.list()).flatMap(describeUnusable),
      ...missing.map((providerId) => describeMissingProvider(providerId)),
    ]
  } catch (error) {
    return NOT_MIGRATED.includes((error as { code?: string }).code ?? "")
      ? [
          "The database is not migrated for this version of the plugin. Run npx medusa db:migrate and start again.",
        ]
      : []
  }
}

function describeUnusable({ providerId, missing, problem }: EffectiveSettings): string[] {
  const why =
    missing.length > 0
      ? notConfiguredError(missing.map(toOptionName), describeProblem(problem)).message
      : describeProblem(problem)
  return why === null ? [] : [`${providerId}: ${why}`]
}
