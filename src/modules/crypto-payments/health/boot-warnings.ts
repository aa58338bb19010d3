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

const NONE_REGISTERED =
  'No payment provider of the plugin is registered, so nobody can pay with crypto. Add one under providers of the "@medusajs/medusa/payment" entry in medusa-config. Of several such entries, only the last one counts.'

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
  const registrations = [...(await settings.listRegistrations()).values()]
  const asking = registrations.flatMap(({ providerId, core_completion }) =>
    core_completion ? [] : providerId
  )
  const isReplaced = replacing.length > 0 && asking.length > 0
  const errors = [isPaused() ? PAUSED_MESSAGE : [], isReplaced ? describeReplaced(asking, replacing) : []]
  const isMalformed = readEncryptionKeys().state === "malformed"
  const ofConfig = [describeLocking(config).message ?? [], isMalformed ? KEY_MESSAGES.malformed : []]
  const warnings = [
    ...(registrations.length === 0 ? [NONE_REGISTERED] : ofConfig.flat()),
    ...(await storedWarnings(settings, requests)),
  ]
  return [
    ...errors.flat().map((message) => ({ level: "error" as const, message })),
    ...warnings.map((message) => ({ level: "warn" as const, message })),
  ]
}

const describeReplaced = (providers: string[], replacing: string[]): string =>
  `${providers.join(", ")}: not offered, because this store completes carts in its own way (${replacing.join(", ")}), and the plugin completes a paid cart with core's workflow. If core's completion counts in this store, set coreCompletion: true in the provider's options.`

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
