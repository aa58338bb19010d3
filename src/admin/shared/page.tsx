import { LayoutComposer } from "@medusajs/dashboard/components"
import { Alert, Button, Container, toast } from "@medusajs/ui"
import { Component, type ComponentType, type PropsWithChildren, type ReactNode } from "react"
import { apiMessage, download, type Query } from "./admin-api"
import { useAction } from "./queries"
import { useWords } from "./words"

interface BoundaryProps {
  /** Shown in place of the component that failed. @param retry renders it again */
  fallback: (retry: () => void) => ReactNode
}

/** Keeps a fault of what is in it from taking the rest of the page down. React has no other means than a class. */
export class Boundary extends Component<PropsWithChildren<BoundaryProps>, { isFailed: boolean }> {
  override state = { isFailed: false }

  static getDerivedStateFromError() {
    return { isFailed: true }
  }

  override render() {
    const { fallback, children } = this.props
    return this.state.isFailed ? fallback(() => this.setState({ isFailed: false })) : children
  }
}

/** A page or a widget that says what to do when it fails, and leaves core's page as it is. */
export function guarded<Props extends object>(Inner: ComponentType<Props>): ComponentType<Props> {
  const Guarded = (props: Props) => (
    <Boundary
      fallback={(retry) => (
        // Where the translations are what failed, words that need none are left.
        <Boundary fallback={() => <p role="alert">{PLAIN_WORDS}</p>}>
          <Fault onRetry={retry} />
        </Boundary>
      )}
    >
      <Inner {...props} />
    </Boundary>
  )
  return Guarded
}

const PLAIN_WORDS =
  "Crypto payments cannot be shown here. Reload the page. If that does not help, check that the store installs the versions of react-router-dom, react-i18next and @tanstack/react-query that its Medusa dashboard uses."

function Fault({ onRetry }: { onRetry: () => void }) {
  const t = useWords()
  return (
    <Container className="flex flex-col items-start gap-y-3">
      <Alert variant="error">
        {t("common.fault")} {t("common.faultHint")}
      </Alert>
      <Button size="small" variant="secondary" onClick={onRetry}>
        {t("common.retry")}
      </Button>
    </Container>
  )
}

/** A page's name in the breadcrumbs. */
export function Crumb({ name }: { name: string }) {
  return (
    <Boundary fallback={() => null}>
      <Name name={name} />
    </Boundary>
  )
}

function Name({ name }: { name: string }) {
  const t = useWords()
  return <span>{t(name)}</span>
}

interface PageProps {
  /** The last part of the prefix of its zones: a store can place widgets of its own in them. */
  zone: string
  id: string
}

/** A page of one card. */
export function Page({ zone, id, children }: PropsWithChildren<PageProps>) {
  return (
    <LayoutComposer
      widgetsZonePrefix={`crypto_payment.${zone}`}
      preferredLayoutId="core:single-column"
      sections={{
        main: (
          <LayoutComposer.Entry id={id}>
            <Container className="divide-y overflow-hidden p-0">{children}</Container>
          </LayoutComposer.Entry>
        ),
      }}
    />
  )
}

interface ExportButtonProps {
  of: "settlements" | "reconciliation"
  query: Query
  disabled?: boolean
}

/** Saves one of the API's CSVs as a file. */
export function ExportButton({ of, query, disabled }: ExportButtonProps) {
  const t = useWords()
  const { mutate: save, isPending } = useAction({
    mutationKey: ["crypto-csv", of],
    mutationFn: async () => await download(`/${of}/export`, query, `crypto-${of}.csv`),
    onError: (error) => toast.error(t("common.exportFailed"), { description: apiMessage(error, t) }),
  })
  return (
    <Button
      size="small"
      variant="secondary"
      disabled={disabled ?? false}
      isLoading={isPending}
      onClick={() => save()}
    >
      {t("common.export")}
    </Button>
  )
}
