import type { AuditReport, ListReport, Reconciliation } from "../../http-contract"
import { formatCount } from "../shared/figures"
import { ago, t } from "../shared/words"

/** One finding: what is shown of it is read of its payments. */
export interface Found {
  /** Ids of the payments and of the orders that it names. */
  payments: string[]
  orders: string[]
  /** What it is called where no payment of this store has it. */
  name?: string
  /** What the gateway's list says of it. */
  note?: string | null
}

export interface Kind {
  name: string
  title: string
  meaning?: string
  todo: string
  /** Also of those that the report leaves out. */
  count: number
  /** How many of them somebody has to look at. */
  open: number
  found: Found[]
}

/** `done`: checked, and nothing to do. `todo`: never run. `warning`: findings, or not everything was checked. */
export interface Result {
  state: "done" | "todo" | "warning" | "broken"
  said: string
  at: string | null
  /** How much it looked at, and what it could not look at. */
  notes: string[]
  kinds: Kind[]
}

const NEVER_RUN = { at: null, notes: [], kinds: [] }

const openOf = ({ kinds }: Pick<Result, "kinds">) => kinds.reduce((sum, { open }) => sum + open, 0)

export type Audited = { audit: AuditReport | null }

export function resultOfAudit({ audit: report }: Audited): Result {
  if (report === null) {
    return { ...NEVER_RUN, state: "todo", said: t("checks.neverRun") }
  }
  const { ran_at: at, checked, findings, found, counts, rules, incomplete } = report
  const [payments, captures, refunds] = [checked.payments, checked.captures, checked.refunds].map(formatCount)
  const seen = { payments, captures, refunds, done: rules.length - incomplete.length, total: rules.length }
  // Nothing is known of these rules, so they are never counted as kept.
  const unknown = incomplete.map((rule) => ruleTitle({ rule })).join(t("common.comma"))
  const hint = unknown === "" ? [] : [t("checks.audit.incompleteHint", { rules: unknown })]
  const clean = t(unknown === "" ? "checks.audit.clean" : "checks.audit.incomplete")
  return {
    state: found + incomplete.length > 0 ? "warning" : "done",
    said: found > 0 ? t("checks.findings", { count: found }) : clean,
    at,
    notes: [t("checks.audit.seen", seen), ...hint],
    kinds: [...new Set(findings.map(({ rule }) => rule))].map((name) => {
      const ofRule = findings.filter(({ rule }) => rule === name)
      const count = counts[name] ?? ofRule.length
      return {
        ...{ name, count, open: count },
        title: ruleTitle(ofRule[0] ?? { rule: name }),
        meaning: t(`audit.rules.${name}.meaning`, { defaultValue: "" }),
        todo: t(`audit.rules.${name}.action`, { defaultValue: t("audit.unknownAction") }),
        found: ofRule.map(({ request_ids, order_ids }) => ({ payments: request_ids, orders: order_ids })),
      }
    }),
  }
}

/** A newer server may have rules without a title here: then the server's own text is shown. */
const ruleTitle = ({ rule, message = rule }: { rule: string; message?: string }): string =>
  t(`audit.rules.${rule}.title`, { defaultValue: message })

/** The newest run may have compared nothing: then the report is older. */
export function resultOfList({ report, failed = null }: Partial<Reconciliation>): Result {
  const cause =
    failed?.problem === "interrupted" ? "checks.list.interrupted" : `problems.${failed?.problem ?? "broken"}`
  const broken = failed && t("checks.list.notCompared", { date: ago(failed.started_at), why: t(cause) })
  if (!report) {
    return { ...NEVER_RUN, state: broken === null ? "todo" : "broken", said: broken ?? t("checks.neverRun") }
  }
  const { complete, counts, rows } = report
  const kinds = [...new Set(rows.map(({ finding }) => finding))].map((name) => kindOf(name, report))
  const open = openOf({ kinds })
  const clean = rows.length > 0 ? "dealtWith" : complete ? "clean" : "cleanInPart"
  const [listed, known, others] = [counts.listed, counts.known, counts.others].map(formatCount)
  const gaps = report.incomplete_because.map(({ page, reason }) => {
    const other = t("reconciliation.gap.other", { page: page ?? "–" })
    return t(`reconciliation.gap.${reason}`, { defaultValue: other })
  })
  return {
    state: broken !== null ? "broken" : open > 0 || !complete ? "warning" : "done",
    said: broken ?? (open > 0 ? t("checks.findings", { count: open }) : t(`checks.list.${clean}`)),
    at: report.finished_at,
    notes: [t("checks.list.seen", { listed, known, others }), ...gaps],
    kinds,
  }
}

/** What a comparison deals with itself is no finding for somebody: made due, recorded, or left to a running call. */
function kindOf(name: ListReport["rows"][number]["finding"], { rows, counts }: ListReport): Kind {
  const isOpen = name === "not_listed" || name === "unreadable"
  return {
    name,
    title: t(`reconciliation.finding.${name}.title`),
    todo: t(`reconciliation.finding.${name}.todo`),
    count: counts[name],
    // Of requests for unknown checkouts only the paid ones matter, and those are cases.
    open: name === "unknown_session" ? counts.paid_and_unknown : isOpen ? counts[name] : 0,
    found: rows
      .filter(({ finding }) => finding === name)
      .map(({ id, payment_request_id, listed_status: status, fields }) => ({
        payments: id === null ? [] : [id],
        orders: [],
        name: payment_request_id,
        note: fields ? t("checks.list.wrongFields", { fields: fields.join(t("common.comma")) }) : status,
      })),
  }
}

const WORST_FIRST = ["broken", "warning", "todo", "done"] as const

/** Of all checks together. @param payments how many the audit looked at */
export function verdictOf(results: Result[], payments: number | null): Pick<Result, "state" | "said"> {
  const state = WORST_FIRST.find((worst) => results.some((one) => one.state === worst)) ?? "todo"
  const open = results.reduce((sum, one) => sum + openOf(one), 0)
  const checked = t("common.payments", { count: payments ?? 0 })
  const said =
    open > 0 ? t("checks.findings", { count: open }) : t(`checks.verdict.${state}`, { payments: checked })
  return { state, said }
}
