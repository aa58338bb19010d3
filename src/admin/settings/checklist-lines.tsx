import type { ReactNode } from "react"
import { RegionLinks } from "./region-links"
import { isForbidden } from "../shared/admin-api"
import { TextLink } from "../shared/values"
import type { CryptoSettings, EncryptionKeyState, Health, ProviderHealth } from "../../http-contract"
import { useSavedConnection } from "./settings"
import { problemWords } from "./settings-save"
import { useRelativeTime } from "../shared/relative-time"
import { useWords, type Words } from "../shared/words"

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

interface ChecklistFacts {
  settings: CryptoSettings
  encryptionKey: EncryptionKeyState
  health: Health
}

/** What a merchant follows to a working checkout, in this order. */
export function useChecklist({ settings, encryptionKey, health }: ChecklistFacts): ChecklistLine[] {
  const t = useWords()
  const relativeTo = useRelativeTime()
  const provider = health.providers.find(({ provider_id }) => provider_id === settings.provider_id)
  const connection = useConnectionLine(settings, t)
  const lastWebhook = provider?.last_webhook_at ?? null
  return [
    encryptionLine(settings, encryptionKey, health, t),
    connection,
    secretLine(settings, t),
    urlLine(provider, t),
    regionLine(settings.provider_id, health, t),
    useCheckoutLine(settings, provider, t),
    {
      name: "webhook",
      state: lastWebhook === null ? "todo" : "done",
      said:
        lastWebhook === null
          ? t("settings.checklist.webhookTodo")
          : t("settings.checklist.webhookAt", { date: relativeTo(lastWebhook) }),
    },
    {
      name: "locking",
      state: health.locking.fits ? "done" : "warning",
      said: health.locking.fits
        ? t("settings.checklist.lockingOk", { provider: health.locking.provider })
        : t(
            health.locking.in_memory
              ? "settings.checklist.lockingMemory"
              : "settings.checklist.lockingPostgres"
          ),
    },
  ]
}

/** No step to a working checkout, so it is not counted as one: whether the payments that were made are explained. */
export function useAuditLine({ audit }: Health): ChecklistLine {
  const t = useWords()
  const relativeTo = useRelativeTime()
  const name = "audit"
  const link = <TextLink to="/crypto-payments/audit">{t("settings.checklist.auditOpen")}</TextLink>
  if (audit === null) {
    return { name, state: "todo", said: withLink(t("settings.checklist.auditNever"), link) }
  }
  const date = relativeTo(audit.ran_at)
  if (audit.findings > 0) {
    const said = t("settings.checklist.auditFindings", { count: audit.findings, date })
    return { name, state: "broken", said: withLink(said, link) }
  }
  return audit.incomplete.length > 0
    ? { name, state: "warning", said: withLink(t("settings.checklist.auditIncomplete", { date }), link) }
    : { name, state: "done", said: withLink(t("settings.checklist.auditClean", { date }), link) }
}

function withLink(said: string, link: ReactNode): ReactNode {
  return (
    <>
      {said} {link}
    </>
  )
}

function useConnectionLine({ provider_id, configured }: CryptoSettings, t: Words): ChecklistLine {
  const name = "connection"
  const { data, error } = useSavedConnection(provider_id, configured)
  if (error !== null) {
    // Whether it answers is not known to a role that may not test it.
    return { name, state: isForbidden(error) ? "pending" : "broken", said: problemWords(error, t) }
  }
  if (data === undefined) {
    return { name, state: "pending", said: t("settings.checklist.connectionPending") }
  }
  if (data.ok) {
    return { name, state: "done", said: t("settings.connection.ok") }
  }
  const isThere = data.problem !== "not_configured"
  return { name, state: isThere ? "broken" : "todo", said: t(`problems.${data.problem}`) }
}

/** Whether shoppers get payment links: the last failure, until a link was made again. */
function useCheckoutLine(
  { configured }: CryptoSettings,
  provider: ProviderHealth | undefined,
  t: Words
): ChecklistLine {
  const name = "checkout"
  const relativeTo = useRelativeTime()
  const failedAt = provider?.last_checkout_failed_at ?? null
  const hosts = (provider?.link_hosts_not_allowed ?? []).join(", ")
  const code = provider?.last_checkout_failure_code ?? "gateway_malformed"
  const failed =
    failedAt === null
      ? []
      : [
          t("settings.checklist.checkoutFailed", {
            reason: t(`settings.checkoutFailure.${code}`, {
              host: provider?.last_checkout_failure_host ?? "",
            }),
            date: relativeTo(failedAt),
          }),
        ]
  const notAllowed = hosts === "" ? [] : [t("settings.warning.link_hosts_not_allowed", { hosts })]
  const faults = [...failed, ...notAllowed]
  if (!configured) {
    return { name, state: "todo", said: t("settings.webhook.problem.not_configured") }
  }
  return faults.length === 0
    ? { name, state: "done", said: t("settings.checklist.checkoutOk") }
    : { name, state: "broken", said: faults.join(" ") }
}

/** One that is stored and cannot be used is as good as none, and is called missing too. */
function secretLine(settings: CryptoSettings, t: Words): ChecklistLine {
  const isMissing = settings.missing.includes("secret_key")
  const problem = settings.secrets["secret_key"]?.is_set ? settings.problem_code : null
  return {
    name: "secret",
    state: !isMissing ? "done" : problem === null ? "todo" : "broken",
    said: !isMissing
      ? t("settings.set")
      : problem === null
        ? t("settings.checklist.secretTodo")
        : t(`settings.problem.${problem}`),
  }
}

function encryptionLine(
  settings: CryptoSettings,
  { state }: EncryptionKeyState,
  health: Health,
  t: Words
): ChecklistLine {
  const name = "encryption"
  if (state === "present") {
    return { name, state: "done", said: t("settings.checklist.encryptionOk") }
  }
  const isNeeded = health.encryption_key_needed || !settings.configured
  const lacks: LineState = state === "missing" && !health.encryption_key_needed ? "todo" : "broken"
  return isNeeded || state !== "missing"
    ? { name, state: isNeeded ? lacks : "warning", said: t(`settings.encryption.${state}`) }
    : { name, state: "done", said: t("settings.checklist.encryptionUnneeded") }
}

function urlLine(provider: ProviderHealth | undefined, t: Words): ChecklistLine {
  const urls = ["success_url", "failed_url"] as const
  const isBroken = urls.some((which) => ["no_placeholder", "not_https"].includes(provider?.[which] ?? ""))
  const steps = urls.flatMap((which) => {
    const state = provider?.[which] ?? "missing"
    return state === "ok"
      ? []
      : [t(`settings.checklist.url.${state}`, { which: t(`settings.checklist.url.${which}`) })]
  })
  return {
    name: "urls",
    state: steps.length === 0 ? "done" : isBroken ? "broken" : "todo",
    said: steps.length === 0 ? t("settings.checklist.urlsSet") : steps.join(" "),
  }
}

function regionLine(providerId: string, { regions }: Health, t: Words): ChecklistLine {
  const name = "regions"
  if (regions.length === 0) {
    return { name, state: "todo", said: t("settings.checklist.noRegions") }
  }
  const takes = regions.filter(({ currency_taken }) => currency_taken)
  const offers = takes.filter(({ provider_ids }) => provider_ids.includes(providerId))
  const could = takes.filter(({ provider_ids }) => !provider_ids.includes(providerId))
  const cannot = regions.filter(({ currency_taken }) => !currency_taken)
  return {
    name,
    state: offers.length > 0 ? "done" : "todo",
    said: <RegionLinks offers={offers} could={could} cannot={cannot} />,
  }
}
