import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container, Text, toast } from "@medusajs/ui"
import { useQueries } from "@tanstack/react-query"
import { type PropsWithChildren, type ReactNode, useState } from "react"
import type { CryptoPayment, ProviderHealth, Reconciliation } from "../../../../http-contract"
import type { Audited, Found, Kind, Result } from "../../../checks/results"
import { resultOfAudit, resultOfList, verdictOf } from "../../../checks/results"
import { usePayments } from "../../../payments/payment-actions"
import { PaymentLink, StateBadge } from "../../../payments/payment-summary"
import { useHealth } from "../../../settings/settings"
import { get } from "../../../shared/admin-api"
import { formatCount } from "../../../shared/figures"
import { Action, Card, FigureTable, GroupHeading, SectionHeading, Subtle } from "../../../shared/layout"
import { guarded, Loaded, named, Page, Pages, providerName } from "../../../shared/page"
import { HEALTH, PAYMENTS, useAction, useExport, useRead } from "../../../shared/queries"
import { Customer, ICONS, Moment, NotSetUp, OrderLink, TextLink } from "../../../shared/values"
import { ago, t } from "../../../shared/words"

const AUDIT = "crypto-audit"
const LISTS = "crypto-reconciliation"
const OF_LIST = { name: "list", path: "/reconciliation", resultOf: resultOfList, changes: LISTS } as const

/** The two nightly checks: each provider's list at the gateway, and what the store has booked. */
export default guarded(function ChecksPage() {
  const health = useHealth()
  const registered = health.data?.providers.filter((one) => one.registered) ?? []
  const configured = registered.filter((one) => one.configured)
  // Of a store that is not set up, the page says so.
  const shown = configured.length > 0 ? configured : registered
  // They may have run at night since this page was last open.
  const audit = useRead<Audited>(AUDIT, "/audit", {}, { staleTime: 0 })
  const lists = useQueries({
    queries: shown.map(({ provider_id }) => ({
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
        {() => shown.map(listCheck)}
      </Loaded>
    ),
    CryptoAuditCheck: (
      <Check name="audit" path="/audit" input={{}} query={audit} resultOf={resultOfAudit} changes={AUDIT} />
    ),
  }
  const listCheck = ({ provider_id, configured: isSetUp }: ProviderHealth, index: number) => {
    const query = lists[index]
    const since = query?.data?.running_since
    const running = since ? t("checks.runningSince", { date: ago(since) }) : undefined
    return (
      query && (
        <Check
          key={provider_id}
          {...OF_LIST}
          of={lists.length > 1 ? providerName(provider_id) : ""}
          input={{ provider_id }}
          query={query}
          running={isSetUp ? running : <NotSetUp providerId={provider_id} />}
          actions={<ListExport provider_id={provider_id} disabled={!query.data?.report} />}
        />
      )
    )
  }
  return <Page zone="checks" main={main} />
})

const ListExport = ({ provider_id, disabled }: { provider_id: string; disabled: boolean }) => (
  <Action {...useExport("/reconciliation/export", { provider_id })} disabled={disabled} />
)

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
  /** What it says while it runs somewhere else, or cannot run. */
  running?: ReactNode
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
                <Subtle>{at ? <Moment at={at} /> : running ? null : t("checks.hint")}</Subtle>
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

const PAGE_SIZE = 20
/** The most that the list takes of them. */
const MOST_IDS = 50

/** All findings of one kind: what they mean, what to do, and a page of them. */
function Findings({ kind: { name, title, meaning = "", todo, count, open, found } }: { kind: Kind }) {
  const [offset, setOffset] = useState(0)
  const shown = { done: formatCount(found.length), total: formatCount(count) }
  const page = { offset, count: found.length, pageSize: PAGE_SIZE, go: setOffset }
  const onPage = found.slice(offset, offset + PAGE_SIZE)
  const ids = [...new Set(onPage.flatMap(({ payments }) => payments))].slice(0, MOST_IDS)
  const { data } = usePayments({ id: ids, limit: MOST_IDS }, { enabled: ids.length > 0 })
  const known = new Map(data?.crypto_payments.map((payment) => [payment.id, payment]))
  const knownOf = ({ payments }: Found) => payments.flatMap((id) => known.get(id) ?? [])
  const amount = ({ payments, name = t("checks.noPayment") }: Found) =>
    payments.length === 0
      ? lines([<bdi className="break-all">{name}</bdi>])
      : lines(payments.map((id) => <PaymentLink id={id} payment={known.get(id)} />))
  const order = (one: Found) => {
    const own = knownOf(one).map((payment) => <OrderLink payment={payment} />)
    const others = one.orders.filter((id) => knownOf(one).every(({ order_id }) => order_id !== id))
    return lines([...own, ...others.map((id) => <TextLink to={`/orders/${id}`}>{id}</TextLink>)])
  }
  const each = (cell: (payment: CryptoPayment) => ReactNode) => (one: Found) => lines(knownOf(one).map(cell))
  const note = [t("detail.theirs"), ({ note }: Found) => note ?? "–", "whitespace-normal"] as const
  return (
    <section data-finding={name} className="divide-y">
      <GroupHeading
        title={title}
        count={found.length < count ? t("common.progress", shown) : shown.total}
        color={open > 0 ? "orange" : "grey"}
        meaning={meaning}
        todo={todo}
      />
      <FigureTable<Found>
        label={title}
        rows={onPage}
        rowKey={({ payments, orders, name }) => [...payments, ...orders, name].join()}
        columns={[
          [t("common.amount"), amount],
          [t("detail.order"), order],
          [t("list.customer"), each(({ customer }) => <Customer customer={customer} />)],
          [t("common.status"), each((payment) => <StateBadge payment={payment} />)],
          [t("checks.date"), each(({ paid_at, created_at }) => <Moment exact at={paid_at ?? created_at} />)],
          ...(onPage.some((one) => one.note) ? [note] : []),
        ]}
      />
      {found.length > PAGE_SIZE && <Pages {...page} />}
    </section>
  )
}
const lines = (cells: ReactNode[]) => (
  <span className="flex flex-col gap-y-1 py-1">
    {cells.map((cell, index) => (
      <span key={index}>{cell}</span>
    ))}
  </span>
)

export const config = defineRouteConfig({ label: "nav.checks", translationNs: "cryptoPayments", rank: 3 })

export const handle = named("nav.checks")
