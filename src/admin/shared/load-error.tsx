import { ExclamationCircle } from "@medusajs/icons"
import { Button, Text } from "@medusajs/ui"
import { useWords } from "./words"

/** Shown if a page could not be loaded: the reason, and what to do. */
export function LoadError({ message, onRetry }: { message: string; onRetry: () => void }) {
  const t = useWords()
  return (
    <div role="alert" className="flex flex-col items-center gap-y-3 px-6 py-10 text-center">
      <ExclamationCircle className="text-ui-fg-subtle" />
      <div className="flex flex-col gap-y-1">
        <Text size="small" weight="plus">
          {t("common.loadFailed")}
        </Text>
        <Text size="small" className="text-ui-fg-subtle text-pretty">
          {message}
        </Text>
      </div>
      <Button size="small" variant="secondary" onClick={onRetry}>
        {t("common.retry")}
      </Button>
    </div>
  )
}
