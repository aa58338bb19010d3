import { TriangleDownMini } from "@medusajs/icons"
import { clx, Heading, Table, Text } from "@medusajs/ui"
import type { ComponentProps, PropsWithChildren, ReactNode } from "react"
import { useWords } from "./words"

interface SectionHeadingProps {
  title: string
  subtitle?: string
  level?: "h1" | "h2"
}

/** The head of a section as core's pages have it: title, a line below, actions at the end. */
export function SectionHeading({
  title,
  subtitle,
  level = "h2",
  children,
}: PropsWithChildren<SectionHeadingProps>) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
      <div className="min-w-0">
        <Heading level={level}>{title}</Heading>
        {subtitle !== undefined && <Subtle>{subtitle}</Subtle>}
      </div>
      <div className="flex flex-wrap items-center gap-2 empty:hidden">{children}</div>
    </div>
  )
}

/** Text that says more about something. */
export function Subtle({ className, ...props }: ComponentProps<typeof Text>) {
  return <Text size="small" className={clx("text-ui-fg-subtle text-pretty", className)} {...props} />
}

/** A line of a section that says how it is. */
export function Remark({ children }: PropsWithChildren) {
  return <Subtle className="px-6 py-4">{children}</Subtle>
}

/** What a finding or a case means, and what to do about it. */
export function Advice({ meaning, todo }: { meaning: ReactNode; todo: string }) {
  const t = useWords()
  return (
    <div className="flex max-w-3xl flex-col gap-y-1">
      {meaning !== "" && (
        <Text size="small" className="text-pretty">
          {meaning}
        </Text>
      )}
      <Subtle>
        <span className="font-medium">{t("attention.whatToDo")}: </span>
        {todo}
      </Subtle>
    </div>
  )
}

/** What is shown once its title is clicked. */
export function Disclosure({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <details className="group">
      <summary className="txt-compact-small-plus flex cursor-pointer items-center justify-between px-6 py-4">
        {title}
        <TriangleDownMini className="text-ui-fg-muted group-open:rotate-180" />
      </summary>
      {children}
    </details>
  )
}

/** One fact of a section: its name, and what it is. A pair of a description list. */
export function FactRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="text-ui-fg-subtle grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-center gap-4 px-6 py-3">
      <dt className="txt-compact-small-plus">{name}</dt>
      <dd className="txt-compact-small flex min-w-0 flex-wrap items-center gap-1">{children}</dd>
    </div>
  )
}

/** Name and value. A fact that does not exist yet has the value null or false. */
export type Fact = readonly [name: string, value: ReactNode]

/** The facts of a section; those that do not exist yet have no row. */
export function Facts({ facts, className }: { facts: readonly Fact[]; className?: string }) {
  return (
    <dl className={className}>
      {facts.map(
        ([name, value], index) =>
          value !== null &&
          value !== false && (
            <FactRow key={index} name={name}>
              {value}
            </FactRow>
          )
      )}
    </dl>
  )
}

/** A column of a {@link FigureTable}. */
export interface Column<Row> {
  header: string
  /** Explains the header. */
  hint?: string | undefined
  /** Figures are at the end of their column. */
  isFigure?: boolean
  className?: string
  cell: (row: Row) => ReactNode
}

interface FigureTableProps<Row> {
  label: string
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  rowProps?: (row: Row) => ComponentProps<typeof Table.Row> & { [data: `data-${string}`]: string }
}

/** A table that is only read. Where it has no room it scrolls, which can be done with the keyboard too. */
export function FigureTable<Row>({ label, columns, rows, rowKey, rowProps }: FigureTableProps<Row>) {
  return (
    <div
      // A table's outer cells have their padding at the left and the right, whichever way it runs.
      className="overflow-x-auto rtl:[&_tr>*:first-child]:pr-6 rtl:[&_tr>*:last-child]:pl-6"
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <Table>
        <Table.Header>
          <Table.Row>
            {columns.map(({ header, hint, isFigure }) => (
              <Table.HeaderCell key={header} className={isFigure ? "text-end" : "text-start"} title={hint}>
                {header}
              </Table.HeaderCell>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {rows.map((row) => (
            <Table.Row key={rowKey(row)} {...rowProps?.(row)}>
              {columns.map(({ header, isFigure, className, cell }) => (
                <Table.Cell key={header} className={isFigure ? "text-end tabular-nums" : className}>
                  {cell(row)}
                </Table.Cell>
              ))}
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
    </div>
  )
}
