import { Alert } from "@medusajs/ui"
import { useWords } from "../../hooks/words"
import { providerName } from "../../lib/provider-name"
import type { Health } from "../../lib/settings-contract"

/** Providers that have unfinished payments and that medusa-config does not register any more. */
export function MissingProviders({ providers }: Pick<Health, "providers">) {
  const t = useWords()
  return providers
    .filter(({ registered, open, overdue, attention }) => !registered && open + overdue + attention > 0)
    .map(({ provider_id, open, attention }) => (
      <Alert key={provider_id} variant="warning">
        {t("settings.missingProvider", {
          provider: providerName(provider_id),
          open: String(open),
          attention: String(attention),
        })}
      </Alert>
    ))
}
