import { Fragment, type ReactNode } from "react"
import type {
  CryptoSettings,
  EncryptionKeyState,
  Health,
  ProviderHealth,
  RegionHealth,
} from "../../http-contract"
import { isForbidden } from "../shared/admin-api"
import { useRelativeTime } from "../shared/relative-time"
import { TextLink } from "../shared/values"
import { useWords, type Words } from "../shared/words"
import { useSavedConnection } from "./settings"
import { problemWords } from "./settings-form"

/**
 * `broken`: it is there and does not work. `warning`: it works, and somebody should look at it all the same. `todo`: it
 * is not there yet.
 */
export type LineState = "done" | "todo" | "broken" | "warning" | "pending"

export interface ChecklistLine {
  name: string
  state: LineState
  /** The next step, or what is so good about it. */
  said: ReactNode
}

export interface ChecklistFacts {
  settings: CryptoSettings
  encryptionKey: EncryptionKeyState
  health: Health
}

type Said = [state: LineState, said: ReactNode]
type When = ReturnType<typeof useRelativeTime>

/** What a merchant follows to a working checkout, in this order. */
export function useChecklist({ settings, encryptionKey, health }: ChecklistFacts): ChecklistLine[] {
  const t = useWords()
  const when = useRelativeTime()
  const provider = health.providers.find(({ provider_id }) => provider_id === settings.provider_id)
  const lines: [name: string, said: Said][] = [
    ["encryption", sayEncryption(settings, encryptionKey, health, t)],
    ["connection", sayConnection(useSavedConnection(settings.provider_id, settings.configured), t)],
    ["secret", saySecret(settings, t)],
    ["urls", sayUrls(provider, t)],
    ["regions", sayRegions(settings.provider_id, health, t)],
    ["checkout", sayCheckout(settings, provider, t, when)],
    ["webhook", sayWebhook(provider, t, when)],
    ["locking", sayLocking(health, t)],
  ]
  return lines.map(([name, [state, said]]) => ({ name, state, said }))
}

/** No step to a working checkout, so it is not counted as one: whether the payments that were made are explained. */
export function useAuditLine({ audit }: Health): ChecklistLine {
  const t = useWords()
  const when = useRelativeTime()
  const date = audit && when(audit.ran_at)
  const [state, said]: [LineState, string] =
    audit === null
      ? ["todo", t("settings.checklist.auditNever")]
      : audit.findings > 0
        ? ["broken", t("settings.checklist.auditFindings", { count: audit.findings, date })]
        : audit.incomplete.length > 0
          ? ["warning", t("settings.checklist.auditIncomplete", { date })]
          : ["done", t("settings.checklist.auditClean", { date })]
  const link = <TextLink to="/crypto-payments/audit">{t("settings.checklist.auditOpen")}</TextLink>
  return {
    name: "audit",
    state,
    said: (
      <>
        {said} {link}
      </>
    ),
  }
}

function sayEncryption(
  settings: CryptoSettings,
  { state }: EncryptionKeyState,
  health: Health,
  t: Words
): Said {
  if (state === "present") {
    return ["done", t("settings.checklist.encryptionOk")]
  }
  if (!health.encryption_key_needed && settings.configured) {
    return state === "missing"
      ? ["done", t("settings.checklist.encryptionUnneeded")]
      : ["warning", t(`settings.encryption.${state}`)]
  }
  const isToDo = state === "missing" && !health.encryption_key_needed
  return [isToDo ? "todo" : "broken", t(`settings.encryption.${state}`)]
}

function sayConnection({ data, error }: ReturnType<typeof useSavedConnection>, t: Words): Said {
  if (error !== null) {
    // Whether it answers is not known to a role that may not test it.
    return [isForbidden(error) ? "pending" : "broken", problemWords(error, t)]
  }
  if (data === undefined) {
    return ["pending", t("settings.checklist.connectionPending")]
  }
  return data.ok
    ? ["done", t("settings.connection.ok")]
    : [data.problem === "not_configured" ? "todo" : "broken", t(`problems.${data.problem}`)]
}

/** One that is stored and cannot be used is as good as none, and is called missing too. */
function saySecret({ missing, secrets, problem_code: problem }: CryptoSettings, t: Words): Said {
  if (!missing.includes("secret_key")) {
    return ["done", t("settings.set")]
  }
  return problem !== null && secrets["secret_key"]?.is_set
    ? ["broken", t(`settings.problem.${problem}`)]
    : ["todo", t("settings.checklist.secretTodo")]
}

function sayUrls(provider: ProviderHealth | undefined, t: Words): Said {
  const faults = (["success_url", "failed_url"] as const).flatMap((which) => {
    const state = provider?.[which] ?? "missing"
    return state === "ok" ? [] : [{ which, state }]
  })
  if (faults.length === 0) {
    return ["done", t("settings.checklist.urlsSet")]
  }
  const steps = faults.map(({ which, state }) =>
    t(`settings.checklist.url.${state}`, { which: t(`settings.checklist.url.${which}`) })
  )
  return [faults.every(({ state }) => state === "missing") ? "todo" : "broken", steps.join(" ")]
}

/** Where shoppers can pay with crypto, where they could, and where they cannot. */
function sayRegions(providerId: string, { regions }: Health, t: Words): Said {
  if (regions.length === 0) {
    return ["todo", t("settings.checklist.noRegions")]
  }
  const names = (some: RegionHealth[]) => some.map(({ name }) => name).join(t("common.comma"))
  const takes = regions.filter(({ currency_taken }) => currency_taken)
  const offers = takes.filter(({ provider_ids }) => provider_ids.includes(providerId))
  const could = takes.filter(({ provider_ids }) => !provider_ids.includes(providerId))
  const cannot = regions.filter(({ currency_taken }) => !currency_taken)
  const said = (
    <span className="flex flex-col gap-y-1">
      <span>
        {offers.length === 0
          ? t("settings.checklist.regionsTodo")
          : t("settings.checklist.regionsOffer", { regions: names(offers) })}
      </span>
      {could.length > 0 && (
        <span>
          {t("settings.checklist.regionsAdd")}{" "}
          {could.map(({ id, name }, index) => (
            <Fragment key={id}>
              {index > 0 && t("common.comma")}
              <TextLink to={`/settings/regions/${id}/edit`}>{name}</TextLink>
            </Fragment>
          ))}
        </span>
      )}
      {cannot.length > 0 && <span>{t("settings.checklist.regionsCannot", { regions: names(cannot) })}</span>}
    </span>
  )
  return [offers.length > 0 ? "done" : "todo", said]
}

/** Whether shoppers get payment links: the last failure, until a link was made again. */
function sayCheckout(
  { configured }: CryptoSettings,
  provider: ProviderHealth | undefined,
  t: Words,
  when: When
): Said {
  if (!configured) {
    return ["todo", t("settings.webhook.problem.not_configured")]
  }
  const faults: string[] = []
  if (provider?.last_checkout_failed_at) {
    const code = provider.last_checkout_failure_code ?? "gateway_malformed"
    const reason = t(`settings.checkoutFailure.${code}`, { host: provider.last_checkout_failure_host ?? "" })
    const date = when(provider.last_checkout_failed_at)
    faults.push(t("settings.checklist.checkoutFailed", { reason, date }))
  }
  const hosts = (provider?.link_hosts_not_allowed ?? []).join(", ")
  if (hosts !== "") {
    faults.push(t("settings.warning.link_hosts_not_allowed", { hosts }))
  }
  return faults.length === 0 ? ["done", t("settings.checklist.checkoutOk")] : ["broken", faults.join(" ")]
}

function sayWebhook(provider: ProviderHealth | undefined, t: Words, when: When): Said {
  return provider?.last_webhook_at
    ? ["done", t("settings.checklist.webhookAt", { date: when(provider.last_webhook_at) })]
    : ["todo", t("settings.checklist.webhookTodo")]
}

function sayLocking({ locking: { fits, in_memory, provider } }: Health, t: Words): Said {
  if (fits) {
    return ["done", t("settings.checklist.lockingOk", { provider })]
  }
  return ["warning", t(in_memory ? "settings.checklist.lockingMemory" : "settings.checklist.lockingPostgres")]
}
