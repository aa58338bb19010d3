import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container, Text, toast } from "@medusajs/ui"
import { useQueries } from "@tanstack/react-query"
import type { PropsWithChildren, ReactNode } from "react"
import type { Reconciliation } from "../../../../http-contract"
import { Findings } from "../../../checks/findings"
import { type Audited, type Result, resultOfAudit, resultOfList, verdictOf } from "../../../checks/results"
import { ICONS } from "../../../settings/checklist"
import { useHealth } from "../../../settings/settings"
import { get } from "../../../shared/admin-api"
import { Action, Card, SectionHeading, Subtle } from "../../../shared/layout"
import { guarded, Loaded, named, Page, providerName } from "../../../shared/page"
import { HEALTH, PAYMENTS, useAction, useExport, useRead } from "../../../shared/queries"
import { Moment } from "../../../shared/values"
import { ago, t } from "../../../shared/words"

const AUDIT = "crypto-audit"
const LISTS = "crypto-reconciliation"

/** The two nightly checks: each provider's list at the gateway, and what the store has booked. */
export default guarded(function ChecksPage() {
  const health = useHealth()
  const configured = health.data?.providers.filter((one) => one.configured) ?? []
  // They may have run at night since this page was last open.
  const audit = useRead<Audited>(AUDIT, "/audit", {}, { staleTime: 0 })
  const lists = useQueries({
    queries: configured.map(({ provider_id }) => ({
      queryKey: [LISTS, provider_id],
      queryFn: async () => await get<Reconciliation>("/reconciliation", { provider_id }),
      staleTime: 0,
      refetchInterval: ({ state }: { state: { data?: Reconciliation | undefined } }) =>
        state.data?.running_since ? 3000 : (false as const),
    })),
  })
  const results = [
    ...lists.flatMap(({ data }) => (data ? resultOfList(data) : [])),
    ...(audit.data ? [resultOfAudit(audit.data)] : []),
  ]
  const isKnown = health.data !== undefined && results.length > lists.length
  const main = {
    CryptoChecks: (
      <Container className="divide-y p-0">
        <SectionHeading level="h1" title={t("nav.checks")} subtitle={t("checks.subtitle")} />
        {isKnown && <Says of="all" {...verdictOf(results, audit.data?.audit?.checked.payments ?? null)} />}
      </Container>
    ),
    CryptoListChecks: (
      <Loaded isPage query={health}>
        {() => configured.map(listCheck)}
      </Loaded>
    ),
    CryptoAuditCheck: (
      <Check name="audit" path="/audit" input={{}} query={audit} resultOf={resultOfAudit} changes={AUDIT} />
    ),
  }
  const listCheck = ({ provider_id }: { provider_id: string }, index: number) => {
    const query = lists[index]
    const since = query?.data?.running_since
    return (
      query && (
        <Check
          key={provider_id}
          name="list"
          of={lists.length > 1 ? providerName(provider_id) : ""}
          path="/reconciliation"
          input={{ provider_id }}
          query={query}
          resultOf={resultOfList}
          changes={LISTS}
          running={since ? t("checks.runningSince", { date: ago(since) }) : undefined}
          actions={<ListExport provider_id={provider_id} disabled={!query.data?.report} />}
        />
      )
    )
  }
  return <Page zone="checks" main={main} />
})

function ListExport({ provider_id, disabled }: { provider_id: string; disabled: boolean }) {
  const file = useExport("/reconciliation/export", { provider_id })
  return <Action {...file} disabled={file.disabled || disabled} />
}

type SaysProps = Pick<Result, "state" | "said"> & { of: string }

const Says = ({ state, said, of, children }: PropsWithChildren<SaysProps>) => (
  <div className="flex items-start gap-x-3 px-6 py-4" data-verdict={of} data-state={state}>
    <span className="pt-0.5">{ICONS[state]}</span>
    <div className="min-w-0">
      <Text weight="plus">{said}</Text>
      {children}
    </div>
  </div>
)

interface CheckProps<T> {
  name: "list" | "audit"
  /** The provider, if there are several. */
  of?: string
  path: string
  input: object
  query: Parameters<typeof Loaded<T>>[0]["query"]
  resultOf: (answer: T) => Result
  /** What is read again after a run. */
  changes: string
  /** What it says while it runs somewhere else. */
  running?: string | undefined
  actions?: ReactNode
}

/** When it ran, what it found, and what to do about each kind of finding. */
function Check<T>({ name, of = "", path, input, query, resultOf, changes, running, actions }: CheckProps<T>) {
  const { mutate: run, isPending } = useAction<T, object>(path, {
    of,
    done: (answer) => {
      const { state, said } = resultOf(answer)
      toast[state === "done" ? "success" : "warning"](t(`checks.${name}.done`), { description: said })
    },
    failed: `checks.${name}.failed`,
    changes: [changes, PAYMENTS, HEALTH],
  })
  const title = [t(`checks.${name}.title`), of].filter(Boolean).join(": ")
  const button = { isLoading: isPending, disabled: running !== undefined, onClick: () => run(input) }
  return (
    <Card
      data-check={name}
      title={title}
      subtitle={t(`checks.${name}.subtitle`)}
      actions={
        <>
          {(running ?? isPending) && <Subtle role="status">{running ?? t("checks.running")}</Subtle>}
          {actions}
          <Action label={t("checks.run")} aria-label={`${t("checks.run")}: ${title}`} {...button} />
        </>
      }
    >
      <Loaded query={query}>
        {(data) => {
          const { state, said, at, notes, kinds } = resultOf(data)
          return (
            <>
              <Says of={name} state={state} said={said}>
                <Subtle>{at === null ? t(`checks.${name}.hint`) : <Moment at={at} />}</Subtle>
                {notes.map((note) => (
                  <Subtle key={note}>{note}</Subtle>
                ))}
              </Says>
              {kinds.map((kind) => (
                <Findings key={kind.name} kind={kind} />
              ))}
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

export const config = defineRouteConfig({ label: "nav.checks", translationNs: "cryptoPayments", rank: 3 })

export const handle = named("nav.checks")
