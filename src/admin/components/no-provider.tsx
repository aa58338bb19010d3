import { Text } from "@medusajs/ui"
import { useWords } from "../hooks/words"

/** What stands on a page about a provider when medusa-config registers none. */
export function NoProvider() {
  const t = useWords()
  return (
    <div className="flex flex-col gap-y-1 px-6 py-8 text-center">
      <Text size="small" weight="plus">
        {t("settings.noProviders")}
      </Text>
      <Text size="small" className="text-ui-fg-subtle text-pretty">
        {t("settings.noProvidersHint")}
      </Text>
    </div>
  )
}
