import { ExclamationCircle } from "@medusajs/icons"
import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container, Skeleton } from "@medusajs/ui"
import { Component, type ComponentType, type PropsWithChildren, type ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { Navigate, useSearchParams } from "react-router-dom"
import { providerName } from "../../modules/crypto-payments/settings/names"
import en from "../i18n/en.json"
import { AdminApiError, apiMessage, isForbidden } from "./admin-api"
import { formatCount } from "./figures"
import { Choice } from "./form"
import { Action, Strong, Subtle } from "./layout"
import { withOffset } from "./queries"
import { NotSetUp } from "./values"
import { t, useLanguage } from "./words"
export { providerName }

type BoundaryProps = PropsWithChildren<{ fallback?: (retry: () => void) => ReactNode }>

/** Shows `fallback` in place of what fails inside, and leaves the rest as it is. React needs a class here. */
export class Boundary extends Component<BoundaryProps, { isFailed: boolean }> {
  override state = { isFailed: false }

  static getDerivedStateFromError() {
    return { isFailed: true }
  }

  override render() {
    const { fallback, children } = this.props
    return this.state.isFailed ? fallback?.(() => this.setState({ isFailed: false })) : children
  }
}

/** Below it, `t` says its texts without a hook. */
const translated = <Props extends object>(Inner: ComponentType<Props>) =>
  function Translated(props: Props) {
    useLanguage()
    return <Inner {...props} />
  }

/** A page or a widget that says what to do when it fails, and leaves core's page as it is. */
export function guarded<Props extends object>(Inner: ComponentType<Props>): ComponentType<Props> {
  const Page = translated(Inner)
  return (props: Props) => (
    <Boundary
      fallback={(retry) => (
        // If the translations failed, only the English text is left.
        <Boundary fallback={() => <p role="alert">{en.common.fault}</p>}>
          <Container className="p-0">
            <LoadError problem={t("common.fault")} retry={retry} />
          </Container>
        </Boundary>
      )}
    >
      <Page {...props} />
    </Boundary>
  )
}

export function crumb<Props extends object>(Inner: ComponentType<Props>) {
  const Name = translated(Inner)
  return {
    breadcrumb: (match: Props) => (
      <Boundary>
        <Name {...match} />
      </Boundary>
    ),
  }
}

/** A page in the menu. @param name the key of its name */
export const named = (name: string) => crumb(() => <span>{t(name)}</span>)

interface PageProps {
  /** The last part of the prefix of its zones: a store can place its own widgets there. */
  zone: string
  main: Record<string, ReactNode>
  side?: Record<string, ReactNode>
  data?: object
}

export function Page({ zone, main, side, data }: PageProps) {
  const entries = (sections: Record<string, ReactNode>) =>
    Object.entries(sections).map(([id, section]) => (
      <LayoutComposer.Entry key={id} id={id}>
        {section}
      </LayoutComposer.Entry>
    ))
  return (
    <LayoutComposer
      widgetsZonePrefix={`crypto_payment.${zone}`}
      preferredLayoutId={side === undefined ? "core:single-column" : "core:two-column"}
      sections={{ main: entries(main), side: side && entries(side) }}
      data={data}
    />
  )
}

export function CardPage({ zone, id, children }: PropsWithChildren<{ zone: string; id: string }>) {
  const card = <Container className="divide-y overflow-hidden p-0">{children}</Container>
  return <Page zone={zone} main={{ [id]: card }} />
}

interface LoadedProps<T> {
  query: { data: T | undefined; error: Error | string | null; refetch: () => unknown }
  isPage?: boolean
  /** For pages with forms: what was read stays below an error of a later read, and an open form with it. */
  isKept?: boolean
  children: (data: T) => ReactNode
}

export function Loaded<T>({ query: { data, error, refetch }, isPage, isKept, children }: LoadedProps<T>) {
  // What was read may still be so: the role has not lost its permission, and the payment exists.
  const isPassing = error instanceof Error && !isForbidden(error)
  const isShown = data !== undefined && (error === null || (isKept && isPassing))
  const lines = <LoadingRows count={isPage ? 8 : 4} />
  const notice = error === null ? lines : <LoadError problem={error} retry={refetch} />
  return (
    <>
      {(error !== null || !isShown) && (isPage ? <Container className="p-0">{notice}</Container> : notice)}
      {isShown && children(data)}
    </>
  )
}

export function LoadError({ problem, retry }: { problem: Error | string; retry: () => unknown }) {
  const words = typeof problem === "string" ? problem : apiMessage(problem)
  const isSetUp = words !== t("problems.not_configured")
  const icon = <ExclamationCircle className="text-ui-fg-subtle" />
  // The same question would get the same answer.
  const isFinal = problem instanceof AdminApiError && [400, 403].includes(problem.status)
  return (
    <div role="alert">
      <EmptyNotice title={t("common.loadFailed")} hint={isSetUp ? words : <NotSetUp />} icon={icon}>
        {!isFinal && <Action label={t("common.retry")} onClick={() => void retry()} />}
      </EmptyNotice>
    </div>
  )
}

export const LoadingRows = ({ count }: { count: number }) => (
  <div role="status" aria-label={t("common.loading")} className="flex flex-col gap-y-4 px-6 py-4">
    {Array.from({ length: count }, (_, index) => (
      <Skeleton key={index} className="h-5 w-full" />
    ))}
  </div>
)

type EmptyNoticeProps = { title: string; hint: ReactNode; icon?: ReactNode }

export const EmptyNotice = ({ title, hint, icon, children }: PropsWithChildren<EmptyNoticeProps>) => (
  <div className="flex flex-col items-center gap-y-2 px-6 py-12 text-center">
    {icon}
    <Strong>{title}</Strong>
    <Subtle>{hint}</Subtle>
    {children}
  </div>
)

/** Goes to the last page if this one is after it: its rows are gone, or the address is old. */
export function ToLastPage({ count = Infinity, pageSize }: { count: number | undefined; pageSize: number }) {
  const [parameters] = useSearchParams()
  const last = Math.max(0, Math.ceil(count / pageSize) - 1) * pageSize
  const search = withOffset(parameters, last).toString()
  return Number(parameters.get("offset")) > last && <Navigate replace to={{ search }} />
}

type PagesProps = { offset: number; count: number; pageSize: number; go: (offset: number) => void }

export function Pages({ offset, count, pageSize, go }: PagesProps) {
  const { t: core } = useTranslation()
  const turn = (label: string, disabled: boolean, to: number) => (
    <Action label={label} variant="transparent" disabled={disabled} onClick={() => go(to)} />
  )
  const end = offset + pageSize
  return (
    <div className="flex items-center justify-between px-6 py-4">
      <Subtle>{`${formatCount(offset + 1)} – ${formatCount(Math.min(end, count))} ${core("general.of")} ${formatCount(count)}`}</Subtle>
      <div className="flex items-center gap-x-2">
        {turn(core("general.prev"), offset === 0, Math.max(0, offset - pageSize))}
        {turn(core("general.next"), end >= count, end)}
      </div>
    </div>
  )
}

type SelectProps = { providerIds: string[]; providerId: string | undefined; choose: (id: string) => void }

export function ProviderSelect({ providerIds, providerId = "", choose }: SelectProps) {
  const options = providerIds.map((id) => ({ value: id, label: providerName(id) }))
  const choice = { value: providerId, onChange: choose, options }
  return options.length < 2 ? null : (
    <span className="flex items-center gap-x-2">
      <Subtle aria-hidden>{t("common.provider")}</Subtle>
      <Choice aria-label={t("common.provider")} className="min-w-36" {...choice} />
    </span>
  )
}
