import { LayoutComposer } from "@medusajs/dashboard/components"
import { Alert, Container } from "@medusajs/ui"
import { Component, type ComponentType, type PropsWithChildren, type ReactNode } from "react"
import { useHealth } from "../settings/settings"
import { Choice } from "./form"
import { ActionButton, EmptyNotice, Loaded, type LoadedProps } from "./layout"
import { useUrlState } from "./queries"
import { t, useLanguage } from "./words"

interface BoundaryProps {
  /** Shown in place of the component that failed. @param retry renders it again */
  fallback?: (retry: () => void) => ReactNode
}

/** Keeps an error inside from taking down the rest of the page. React has no other means than a class. */
export class Boundary extends Component<PropsWithChildren<BoundaryProps>, { isFailed: boolean }> {
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
        // If the translations failed, only this text is left.
        <Boundary fallback={() => <p role="alert">{PLAIN_WORDS}</p>}>
          <Fault onRetry={retry} />
        </Boundary>
      )}
    >
      <Page {...props} />
    </Boundary>
  )
}

const PLAIN_WORDS =
  "Crypto payments cannot be shown here. Reload the page. If that does not help, check that the store installs the versions of react-router-dom, react-i18next and @tanstack/react-query that its Medusa dashboard uses."

const Fault = ({ onRetry }: { onRetry: () => void }) => (
  <Container className="flex flex-col items-start gap-y-3">
    <Alert variant="error">
      {t("common.fault")} {t("common.faultHint")}
    </Alert>
    <ActionButton label={t("common.retry")} onClick={onRetry} />
  </Container>
)

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
  /** Passed to its widgets. */
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

/** `pp_crypto_default` as medusa-config has it: `default`. */
export const providerName = (providerId: string): string => providerId.replace(/^pp_crypto_/, "")

/** The provider in the address, else the first one; undefined until the providers are known. */
export function useProvider() {
  const health = useHealth()
  const registered = health.data?.providers.filter((provider) => provider.registered) ?? []
  const providerIds = registered.map(({ provider_id }) => provider_id)
  const [inAddress, choose] = useUrlState("provider_id", "")
  const providerId = providerIds.find((id) => id === inAddress) ?? providerIds[0]
  return { health, providerId, providerIds, choose }
}

type ChosenProvider = ReturnType<typeof useProvider>

export const ProviderSelect = ({ providerIds, providerId = "", choose }: Omit<ChosenProvider, "health">) =>
  providerIds.length < 2 ? null : (
    <Choice
      aria-label={t("common.provider")}
      className="min-w-36"
      value={providerId}
      onChange={choose}
      options={providerIds.map((id) => ({ value: id, label: providerName(id) }))}
    />
  )

export const ProviderContent = <T,>({ provider, ...read }: LoadedProps<T> & { provider: ChosenProvider }) => (
  <Loaded query={provider.health}>
    {() =>
      provider.providerId === undefined ? (
        <EmptyNotice title={t("settings.noProviders")} hint={t("settings.noProvidersHint")} />
      ) : (
        <Loaded {...read} />
      )
    }
  </Loaded>
)
