import { Loader } from "@medusajs/icons"
import { Badge, Button, Copy } from "@medusajs/ui"
import type { ReactElement, ReactNode } from "react"
import type { Health, ProviderHealth } from "../../http-contract"
import { isForbidden } from "../shared/admin-api"
import { Action, Card, Disclosure } from "../shared/layout"
import { ICONS, TextLink } from "../shared/values"
import { ago, t } from "../shared/words"
import type { Part } from "./setting-fields"
import { connectionWords, KEY_COMMAND, problemWords, useSavedConnection, webhookAddress } from "./settings"
import { SaveButton, type SettingsProps } from "./settings-sections"

const LINE_ICONS = { ...ICONS, pending: <Loader className="text-ui-fg-muted animate-spin" /> }

/** With a button for the step, mostly to edit a part. A line that is done does not show it. */
type Said = [state: keyof typeof LINE_ICONS, said: ReactNode, action?: Part | ReactElement | false]
type Line = [name: string, ...Said]

interface Facts extends SettingsProps {
  health: Health
  provider: ProviderHealth | undefined
  connection: ReturnType<typeof useSavedConnection>
  edit: (part: Part) => void
}

/** Refusals that most likely come from the set-up, and are logged. A stranger can cause them too. */
const MISTAKES = ["wrong_secret", "value_not_text", "already_read"]

type Step = Part | "encryption" | "secret" | "urls" | "regions" | "webhook" | "address" | "locking"

const STEPS: Record<Step, (facts: Facts) => Said> = {
  encryption({ settings, encryptionKey: { state }, health }) {
    if (state === "present") {
      return ["done", t("settings.checklist.encryptionOk")]
    }
    const isUnneeded = !health.encryption_key_needed
    if (isUnneeded && settings.configured && state === "missing") {
      return ["done", t("settings.checklist.encryptionUnneeded")]
    }
    const ofUnneeded = settings.configured ? "warning" : state === "missing" ? "todo" : "broken"
    const copy = state !== "wrong" && <CopyButton of="encryption" content={KEY_COMMAND} />
    return [isUnneeded ? ofUnneeded : "broken", t(`settings.encryption.${state}`), copy]
  },
  connection({ connection: { data, error } }) {
    if (error !== null) {
      return isForbidden(error)
        ? ["warning", t("settings.checklist.connectionForbidden")]
        : ["broken", problemWords(error), "connection"]
    }
    if (data === undefined) {
      return ["pending", t("settings.checklist.connectionPending")]
    }
    return data.ok
      ? ["done", t("settings.connection.ok")]
      : [data.problem === "not_configured" ? "todo" : "broken", connectionWords(data.problem), "connection"]
  },
  secret({ settings: { missing, secrets, problem_code: problem } }) {
    if (!missing.includes("secret_key")) {
      return ["done", t("settings.set")]
    }
    // A stored secret that cannot be used counts as missing.
    return problem !== null && secrets["secret_key"]?.is_set
      ? ["broken", t(`settings.problem.${problem}`), "connection"]
      : ["todo", t("settings.checklist.secretTodo"), "connection"]
  },
  urls({ provider }) {
    const faults = (["success_url", "failed_url"] as const)
      .map((name) => ({ state: provider?.[name] ?? "missing", which: t(`settings.checklist.url.${name}`) }))
      .filter(({ state }) => state !== "ok")
    if (faults.length === 0) {
      return ["done", t("settings.checklist.urlsSet")]
    }
    const steps = faults.map(({ state, which }) => t(`settings.checklist.url.${state}`, { which }))
    const state = faults.every(({ state }) => state === "missing") ? "todo" : "broken"
    return [state, steps.join(" "), "checkout"]
  },
  regions({ settings: { provider_id: providerId, configured, problem_code }, health: { regions } }) {
    const of = (some: Health["regions"]) => ({
      regions: some.map(({ name }) => name).join(t("common.comma")),
    })
    const takes = regions.filter(({ currency_taken }) => currency_taken)
    const has = takes.filter(({ provider_ids }) => provider_ids.includes(providerId))
    const offers = has.filter(({ offered_ids }) => offered_ids.includes(providerId))
    const waits = has.filter((region) => !offers.includes(region))
    const could = takes.filter((region) => !has.includes(region))
    const cannot = regions.filter((region) => !takes.includes(region))
    const link = (page: string, name: string) => (
      <TextLink key={page} to={`/settings/regions/${page}`} className="me-2">
        {name}
      </TextLink>
    )
    const links = could.map(({ id, name }) => link(`${id}/edit`, name))
    const create = link("create", t("settings.checklist.createRegion"))
    const sentences = [
      takes.length === 0 && [t("settings.checklist.noRegions"), " ", create],
      offers.length > 0 && t("settings.checklist.regionsOffer", of(offers)),
      waits.length > 0 && t(`settings.checklist.${configured ? "regionsWait" : "regionsSetUp"}`, of(waits)),
      problem_code === "limits_crossed" && t(`settings.problem.${problem_code}`),
      could.length > 0 && [t("settings.checklist.regionsAdd"), " ", ...links],
      cannot.length > 0 && t("settings.checklist.regionsCannot", of(cannot)),
    ]
    const said = sentences.map((sentence, index) => sentence && <span key={index}>{sentence}</span>)
    const state = configured && waits.length > 0 ? "broken" : offers.length > 0 ? "done" : "todo"
    const action = !configured && waits.length > 0 && "connection"
    return [state, <span className="flex flex-col gap-y-1">{said}</span>, action]
  },
  checkout({ settings, provider }) {
    const hosts = settings.fields.payment_link_hosts
    // The last failure, until a link was created again.
    const { last_checkout_failed_at: at, last_checkout_failure_code: code } = provider ?? {}
    const host = provider?.last_checkout_failure_host ?? ""
    const reason = t(`settings.checkoutFailure.${code ?? "gateway_malformed"}`, { host })
    const isOfHost = code === "link_host_not_allowed"
    const isAllowed = isOfHost && (hosts.value?.includes(host) ?? true)
    if (at && settings.configured && !isAllowed) {
      const said = t("settings.checklist.checkoutFailed", { reason, date: ago(at) })
      const label = t("settings.checklist.allowHost", { host })
      const input = { payment_link_hosts: [...(hosts.value ?? []), host] }
      const allow = !hosts.locked && <SaveButton settings={settings} label={label} input={input} />
      return ["broken", said, isOfHost ? allow : "connection"]
    }
    return settings.configured && provider?.has_payments && !isAllowed
      ? ["done", t("settings.checklist.checkoutOk")]
      : ["todo", t(`settings.checklist.${isAllowed ? "hostAllowed" : "checkoutNone"}`)]
  },
  webhook({ provider, settings }) {
    const { last_webhook_at: at = null, last_refused_webhook_at: refusedAt } = provider ?? {}
    const reason = provider?.last_refused_webhook_reason ?? ""
    // Within a minute of one that was noted, a good one is not noted, and may have come since.
    const isRefused = refusedAt && Date.parse(refusedAt) - Date.parse(at ?? "1970") > 60_000
    if (isRefused && MISTAKES.includes(reason)) {
      const words = { date: ago(refusedAt), reason: t(`settings.webhook.reason.${reason}`) }
      const said = t("settings.checklist.webhookRefused", words)
      return ["warning", said, reason === "wrong_secret" && "connection"]
    }
    const copy = <CopyButton of="webhook" content={webhookAddress(settings).address} />
    return at === null
      ? ["todo", t("settings.checklist.webhookTodo"), copy]
      : ["done", t("settings.checklist.webhookAt", { date: ago(at) })]
  },
  address: ({ provider }) =>
    provider?.public_url
      ? ["done", <bdi dir="ltr">{provider.public_url}</bdi>]
      : ["todo", t("problems.public_url_missing")],
  locking({ health: { locking } }) {
    const { fits, provider } = locking
    const name = fits ? "lockingOk" : provider === "in-memory" ? "lockingMemory" : "lockingPostgres"
    return [fits ? "done" : "warning", t(`settings.checklist.${name}`, { provider })]
  },
}

/** From nothing to a working checkout: each line is green or says the next step. If all are green, it is one line. */
export function Checklist(props: Omit<Facts, "connection">) {
  const { provider_id: providerId, configured } = props.settings
  const facts = { ...props, connection: useSavedConnection(providerId, configured) }
  const steps = Object.entries(STEPS).map(([name, say]): Line => [name, ...say(facts)])
  const done = steps.filter(([, state]) => state === "done").length
  const isDone = done === steps.length
  const isBroken = steps.some(([, state]) => state === "broken")
  const list = <ol className="divide-y">{steps.map((line) => drawLine(line, props.edit))}</ol>
  return (
    <Card
      data-checklist={isDone ? "finished" : "unfinished"}
      title={t("settings.checklist.title")}
      subtitle={t(isDone ? "settings.checklist.finished" : "settings.checklist.subtitle")}
      actions={
        <Badge size="small" color={isBroken ? "red" : isDone ? "green" : "grey"}>
          {t("common.progress", { done, total: steps.length })}
        </Badge>
      }
    >
      {isDone ? <Disclosure title={t("settings.checklist.show")}>{list}</Disclosure> : list}
    </Card>
  )
}

const CopyButton = ({ of, content }: { of: "encryption" | "webhook"; content: string }) => (
  <Copy content={content} asChild>
    <Button type="button" size="small" variant="secondary" aria-label={t(`settings.${of}.copy`)}>
      {t(`settings.${of}.copy`)}
    </Button>
  </Copy>
)

const editButton = (part: Part, edit: Facts["edit"]) => (
  <Action label={t(`settings.${part}.editTitle`)} onClick={() => edit(part)} />
)

const drawLine = ([name, state, said, action]: Line, edit: Facts["edit"]) => (
  <li key={name} className="flex flex-wrap items-start gap-3 px-6 py-3" data-line={name} data-state={state}>
    <span className="pt-0.5" role="img" aria-label={t(`settings.checklist.${state}`)}>
      {LINE_ICONS[state]}
    </span>
    <div className="flex min-w-48 flex-1 flex-col gap-y-0.5">
      <span className="txt-compact-small-plus">{t(`settings.checklist.${name}`)}</span>
      <span className="txt-small text-ui-fg-subtle text-pretty break-words">{said}</span>
    </div>
    {state !== "done" && (typeof action === "string" ? editButton(action, edit) : action)}
  </li>
)
