import { useWords } from "../hooks/words"
import { EmptyNotice } from "./empty-notice"

/** What stands on a page about a provider when medusa-config registers none. */
export function NoProvider() {
  const t = useWords()
  return <EmptyNotice title={t("settings.noProviders")} hint={t("settings.noProvidersHint")} />
}
