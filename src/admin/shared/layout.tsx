import { EllipsisHorizontal, TriangleDownMini } from "@medusajs/icons"
import { Badge, Button, clx, Container, DropdownMenu, Heading, IconButton, Table, Text } from "@medusajs/ui"
import { type ComponentProps, type PropsWithChildren, type ReactNode, useLayoutEffect, useRef } from "react"
import { direction, t } from "./words"

type SectionHeadingProps = { title: string; subtitle?: string | undefined; level?: "h1" | "h2" }

export const SectionHeading = (props: PropsWithChildren<SectionHeadingProps>) => (
  <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
    <div className="min-w-0">
      <Heading level={props.level ?? "h2"}>{props.title}</Heading>
      {props.subtitle !== undefined && <Subtle>{props.subtitle}</Subtle>}
    </div>
    <div className="flex flex-wrap items-center gap-2 empty:hidden">{props.children}</div>
  </div>
)

export function Card(props: PropsWithChildren<Omit<SectionHeadingProps, "level"> & { actions?: ReactNode }>) {
  const { title, subtitle, actions, children, ...data } = props
  return (
    <Container className="divide-y overflow-hidden p-0" {...data}>
      <SectionHeading title={title} subtitle={subtitle}>
        {actions}
      </SectionHeading>
      {children}
    </Container>
  )
}

/** For later: gives `from` the focus back, or if it is gone then, its card's heading: Tab goes on there. */
export function wayBackTo(from: HTMLElement | null) {
  const title = from?.closest(":has(h1, h2)")?.querySelector<HTMLElement>("h1, h2")
  return () => {
    const heading = [title, document.querySelector<HTMLElement>("main")].find((one) => one?.isConnected)
    heading?.setAttribute("tabindex", "-1")
    const target = from?.isConnected ? from : heading
    target?.focus({ preventScroll: true })
  }
}

/** A button may go once it has done its work, as Resolve does. While it is busy it is disabled, and without the focus. */
function useFocusLeft() {
  const button = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  const note = () => {
    const { activeElement, body } = document
    hadFocus.current = activeElement === button.current || (hadFocus.current && activeElement === body)
  }
  // Once a busy button is drawn, it is too late.
  note()
  useLayoutEffect(() => {
    const goBack = wayBackTo(button.current)
    return () => {
      note()
      setTimeout(() => hadFocus.current && document.activeElement === document.body && goBack())
    }
  }, [])
  return button
}

export const Action = ({ label, ...props }: ComponentProps<typeof Button> & { label: string }) => (
  <Button ref={useFocusLeft()} type="button" size="small" variant="secondary" {...props}>
    {label}
  </Button>
)

type Offer = { label: string; isLoading?: boolean; onClick: () => void }

/** The first action is a button, and all others are in a menu. */
export const Actions = ({ all: [first, ...others], isPrimary }: { all: Offer[]; isPrimary: boolean }) =>
  first === undefined ? null : (
    <div className="flex flex-wrap items-center gap-2">
      <Action
        // Another action is another button: what had the focus is gone with its own.
        key={first.label}
        variant={isPrimary ? "primary" : "secondary"}
        label={first.label}
        isLoading={first.isLoading === true}
        onClick={first.onClick}
      />
      {others.length > 0 && <Menu offers={others} />}
    </div>
  )

/** A component of its own: it may go while the first action stays. */
function Menu({ offers }: { offers: Offer[] }) {
  const trigger = useFocusLeft()
  const chosen = useRef<() => void>(undefined)
  // The menu gives the focus back to its button before the action: a form that it opens returns the focus there.
  const runChosen = () => {
    chosen.current?.()
    chosen.current = undefined
  }
  return (
    <DropdownMenu dir={direction()}>
      <DropdownMenu.Trigger asChild>
        <IconButton
          ref={trigger}
          size="small"
          aria-label={t("actions.more")}
          isLoading={offers.some(({ isLoading }) => isLoading === true)}
        >
          <EllipsisHorizontal />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content align="end" onCloseAutoFocus={runChosen}>
        {offers.map(({ label, onClick }) => (
          <DropdownMenu.Item key={label} onSelect={() => (chosen.current = onClick)}>
            {label}
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu>
  )
}

export const Strong = (props: ComponentProps<typeof Text>) => <Text size="small" weight="plus" {...props} />

export const Subtle = ({ className, ...props }: ComponentProps<typeof Text>) => (
  <Text size="small" className={clx("text-ui-fg-subtle text-pretty", className)} {...props} />
)

export const Remark = ({ children }: PropsWithChildren) => <Subtle className="px-6 py-4">{children}</Subtle>

export const Advice = ({ meaning, todo }: { meaning: string; todo: string }) => (
  <div className="flex max-w-3xl flex-col gap-y-1">
    <Text size="small" className="text-pretty empty:hidden">
      {meaning}
    </Text>
    {todo !== "" && (
      <Subtle>
        <span className="font-medium">{t("attention.whatToDo")}: </span>
        {todo}
      </Subtle>
    )}
  </div>
)

type GroupProps = Parameters<typeof Advice>[0] &
  Record<"title" | "count", string> & { color: "orange" | "red" | "grey" }

export const Mark = (props: ComponentProps<typeof Badge>) => <Badge size="2xsmall" {...props} />

/** The heading of rows of one kind says once how many there are, what they mean and what to do. */
export const GroupHeading = ({ title, count, color, ...words }: GroupProps) => (
  <div className="flex flex-col gap-y-2 px-6 py-4">
    <div className="flex flex-wrap items-center gap-2">
      <Heading level="h3">{title}</Heading>
      <Mark color={color}>{count}</Mark>
    </div>
    <Advice {...words} />
  </div>
)

export const Disclosure = ({ title, children }: PropsWithChildren<{ title: string }>) => (
  <details className="group">
    <summary className="txt-compact-small-plus flex cursor-pointer items-center justify-between px-6 py-4">
      {title}
      <TriangleDownMini className="text-ui-fg-muted group-open:rotate-180" />
    </summary>
    {children}
  </details>
)

/** A fact that does not exist yet has no value, and no row. */
export type Fact = readonly [name: string, value: ReactNode]

const known = (all: readonly Fact[]) => all.filter(([, value]) => value != null && value !== false)

export const Facts = ({ facts, className }: { facts: readonly Fact[]; className?: string }) => (
  <dl className={clx("text-ui-fg-subtle", className)}>
    {known(facts).map(([name, value], index) => (
      <div key={index} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-center gap-4 px-6 py-3">
        <dt className="txt-compact-small-plus">{name}</dt>
        <dd className="txt-compact-small flex min-w-0 flex-wrap items-center gap-1">{value}</dd>
      </div>
    ))}
  </dl>
)

export const FactGroup = ({ title, facts }: { title: string; facts: Fact[] }) =>
  known(facts).length === 0 ? null : (
    <section className="py-2">
      <Heading level="h2" className="h3-core px-6 pb-1 pt-2">
        {title}
      </Heading>
      <Facts facts={facts} />
    </section>
  )

export type Column<Row> = readonly [name: string, cell: (row: Row) => ReactNode, look?: string, hint?: string]

/** In Arabic too, so that the digits of a column line up. */
export const FIGURE = "text-right tabular-nums"

type TableOf<Row> = {
  label: string
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

/**
 * Below 1100 px each cell says its column's name: beside the side bar, eight columns need it. Chrome goes on telling
 * screen readers that it is a table.
 */
const STACKED =
  "max-[1099px]:[&_thead]:hidden max-[1099px]:[&_tr]:grid max-[1099px]:[&_tr]:grid-cols-[repeat(auto-fill,minmax(16rem,1fr))] max-[1099px]:[&_tr]:h-auto max-[1099px]:[&_tr]:py-3 max-[1099px]:[&_td]:flex max-[1099px]:[&_td]:h-auto max-[1099px]:[&_td]:flex-wrap max-[1099px]:[&_td]:justify-between max-[1099px]:[&_td]:gap-x-3 max-[1099px]:[&_td]:!px-6 max-[1099px]:[&_td]:py-1 max-[1099px]:[&_td_.flex-col]:items-end max-[1099px]:[&_td]:before:text-ui-fg-subtle max-[1099px]:[&_td]:before:content-[attr(data-name)]"

/** A table without actions. Without enough room it scrolls, also by keyboard. */
export const FigureTable = <Row,>({ label, columns, rows, rowKey }: TableOf<Row>) => (
  <div
    // A table's outer cells have their padding at the left and the right in every text direction.
    className={`overflow-x-auto rtl:[&_tr>*:first-child]:pr-6 rtl:[&_tr>*:last-child]:pl-6 ${STACKED}`}
    role="region"
    aria-label={label}
    tabIndex={0}
  >
    <Table>
      <Table.Header>
        <Table.Row>
          {columns.map(([name, , look, hint]) => (
            <Table.HeaderCell key={name} className={clx("text-start", look)} title={hint}>
              {name}
            </Table.HeaderCell>
          ))}
        </Table.Row>
      </Table.Header>
      <Table.Body>
        {rows.map((row) => (
          <Table.Row key={rowKey(row)}>
            {columns.map(([name, cell, look]) => (
              <Table.Cell key={name} data-name={name} className={look}>
                {cell(row)}
              </Table.Cell>
            ))}
          </Table.Row>
        ))}
      </Table.Body>
    </Table>
  </div>
)
