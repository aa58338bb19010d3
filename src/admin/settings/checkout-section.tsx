import { Button, Container } from "@medusajs/ui"
import { useState } from "react"
import { useWords } from "../shared/words"
import type { CryptoSettings } from "../../http-contract"
import { SectionHeading } from "../shared/layout"
import { CheckoutDrawer } from "./checkout-drawer"
import { SettingRow } from "./setting-value"

/** What shoppers notice of the plugin. */
export function CheckoutSection({ settings }: { settings: CryptoSettings }) {
  const t = useWords()
  // As they were when the form was opened: read anew meanwhile, they would pass for what the merchant saw.
  const [edited, setEdited] = useState<CryptoSettings | null>(null)
  const { fields } = settings
  return (
    <Container className="divide-y p-0">
      <SectionHeading title={t("settings.checkout.title")}>
        <Button
          size="small"
          variant="secondary"
          aria-label={t("settings.checkout.editTitle")}
          onClick={() => setEdited(settings)}
        >
          {t("settings.edit")}
        </Button>
      </SectionHeading>
      <dl className="divide-y">
        <SettingRow name="success_url" field={fields.success_url} />
        <SettingRow name="failed_url" field={fields.failed_url} />
        <SettingRow
          name="order_placement"
          field={fields.order_placement}
          show={(value) => t(`settings.placement.${value}`)}
        />
        {fields.order_placement.value === "before_payment" && (
          <SettingRow name="unpaid_order_ttl_minutes" field={fields.unpaid_order_ttl_minutes} />
        )}
        <SettingRow
          name="payment_link_hosts"
          field={fields.payment_link_hosts}
          show={(hosts) => <bdi dir="ltr">{hosts.join(", ")}</bdi>}
        />
        <SettingRow
          name="reuse_open_links"
          field={fields.reuse_open_links}
          show={(value) => t(value ? "settings.yes" : "settings.no")}
        />
      </dl>
      {edited !== null && <CheckoutDrawer settings={edited} onClose={() => setEdited(null)} />}
    </Container>
  )
}
