import { CheckCircleSolid, CircleDottedLine, ExclamationCircleSolid, XCircleSolid } from "@medusajs/icons"
import { clx, Copy, StatusBadge, Tooltip } from "@medusajs/ui"
import { useDate } from "@medusajs/dashboard/hooks"
import type { ComponentProps } from "react"
import { Link } from "react-router-dom"
import { formatAmount, formatFiat } from "./figures"
import type { Fact } from "./layout"
import { ago, t } from "./words"
import type { CryptoPayment } from "../../http-contract"

type Text = string | null | undefined
type AmountProps = { value: Text; currency?: Text; coin?: Text; className?: string }

/** An exact figure. Always left to right: in Arabic too, `20.01 USD` keeps its order. */
export function Amount({ value, currency, coin, className }: AmountProps) {
  if (value === null || value === undefined) {
    return <span className="text-ui-fg-subtle">–</span>
  }
  return (
    <bdi dir="ltr" className={clx("whitespace-nowrap tabular-nums", className)}>
      {currency ? formatFiat(value, currency) : `${formatAmount(value)} ${coin ?? ""}`.trim()}
    </bdi>
  )
}

/** A time as core shows it: how long ago, with the exact time on hover, or the reverse with `exact`. */
export function Moment(props: { at: string | null; exact?: boolean; none?: string }) {
  const { getFullDate } = useDate()
  const { at, exact = false, none = "common.never" } = props
  if (at === null) {
    return <span>{t(none)}</span>
  }
  const full = getFullDate({ date: at, includeTime: true })
  const [shown, onHover] = exact ? [full, ago(at)] : [ago(at), full]
  return (
    <Tooltip content={onHover}>
      <time dateTime={at} className="whitespace-nowrap">
        {shown}
      </time>
    </Tooltip>
  )
}

export const CopyValue = ({ value, label }: { value: string; label: string }) => (
  <span className="flex min-w-0 max-w-full items-center gap-x-1">
    <bdi dir="ltr" className="min-w-0 truncate" title={value}>
      {value}
    </bdi>
    <Copy content={value} aria-label={label} className="text-ui-fg-muted shrink-0" />
  </span>
)

export function idFact(name: string, value: string | null | undefined): Fact {
  const label = t(`detail.${name}`)
  return [label, value != null && <CopyValue value={value} label={t("common.copy", { name: label })} />]
}

type CustomerProps = Pick<CryptoPayment, "customer"> & { className?: string; target?: string }

export function Customer({ customer, className, target }: CustomerProps) {
  const { id = null, name = null, email = null } = customer ?? {}
  const first = name ?? email
  if (first === null) {
    return <>–</>
  }
  // Shortened at its own end: in a page that runs the other way, a name would lose its beginning.
  const shown = { dir: "auto", className: "truncate text-left rtl:text-right", children: first }
  return (
    <span className={clx("flex min-w-0 flex-col", className)} title={email ?? undefined}>
      {id === null ? <span {...shown} /> : <TextLink to={`/customers/${id}`} target={target} {...shown} />}
      {name !== null && email !== null && (
        <bdi dir="ltr" className="txt-compact-xsmall text-ui-fg-subtle truncate rtl:text-right">
          {email}
        </bdi>
      )}
    </span>
  )
}

export function OrderLink({ payment }: { payment: CryptoPayment }) {
  const { order_id: orderId, order_display_id: number, cart_id: cartId } = payment
  const cart = <span title={cartId ?? undefined}>{cartId === null ? "–" : t("list.noOrder")}</span>
  const name = <bdi dir="ltr">{number === null ? orderId : `#${number}`}</bdi>
  return orderId === null ? cart : <TextLink to={`/orders/${orderId}`}>{name}</TextLink>
}

const LINK = "text-ui-fg-base hover:text-ui-fg-subtle decoration-ui-fg-muted underline underline-offset-2"

/** A link within text, underlined in the text's own colour: core's blue is too pale for some readers. */
export const TextLink = ({ className, ...props }: ComponentProps<typeof Link>) => (
  <Link
    className={clx(LINK, className)}
    // A row of a table opens its payment.
    onClick={(event) => event.stopPropagation()}
    {...props}
  />
)

export const NotSetUp = ({ providerId = "" }: { providerId?: string | undefined }) => (
  <TextLink to={`/settings/crypto-payments?provider_id=${providerId}`}>
    {t("problems.not_configured")}
  </TextLink>
)

/** Core's status badge in one line, or with room for two. Its padding, for left to right, is mirrored. */
export const Status = (props: ComponentProps<typeof StatusBadge>) => (
  <StatusBadge className="whitespace-nowrap leading-[18px] rtl:pl-1.5 rtl:pr-0.5" {...props} />
)

/** `broken`: configured, but does not work. `warning`: works, but needs a look. `todo`: not configured yet. */
export const ICONS = {
  done: <CheckCircleSolid className="text-ui-tag-green-icon" />,
  todo: <CircleDottedLine className="text-ui-fg-muted" />,
  broken: <XCircleSolid className="text-ui-tag-red-icon" />,
  warning: <ExclamationCircleSolid className="text-ui-tag-orange-icon" />,
}
