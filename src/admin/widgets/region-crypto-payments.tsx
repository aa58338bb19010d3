import { defineWidgetConfig } from "@medusajs/admin-sdk"
import type { AdminRegion } from "@medusajs/framework/types"
import type { Health } from "../../http-contract"
import { usePayments } from "../payments/payment-actions"
import { useHealth } from "../settings/settings"
import { Card, Remark } from "../shared/layout"
import { guarded } from "../shared/page"
import { TextLink } from "../shared/values"
import { t } from "../shared/words"

/** Whether a region offers crypto, or why not, and how many links wait. Nothing for users who may not read payments. */
export default guarded(function RegionCryptoPayments({ data: { id, currency_code } }: { data: AdminRegion }) {
  const { data: health } = useHealth()
  const waiting = usePayments({ state: "open", currency: currency_code, limit: 1 }).data?.count
  const why = health && whyNotOffered(health, id)
  if (why === undefined) {
    return null
  }
  const currency = currency_code.toUpperCase()
  return (
    <Card title={t("region.title")} data-testid="region-crypto-payments">
      <Remark>
        {t(`region.${why}`, { currency })} {why === "notOnRegion" && edit(`/settings/regions/${id}/edit`)}
        {why === "notSetUp" && edit("/settings/crypto-payments")}
      </Remark>
      {waiting ? <Remark>{t("region.waiting", { currency, count: waiting })}</Remark> : null}
    </Card>
  )
})

const edit = (to: string) => <TextLink to={to}>{t("region.change")}</TextLink>

/** In the order in which somebody can do something about it. */
function whyNotOffered({ paused, regions }: Health, id: string) {
  const region = regions.find((each) => each.id === id)
  if (region?.currency_taken !== true) {
    return "otherCurrency"
  }
  if (region.provider_ids.length === 0) {
    return "notOnRegion"
  }
  return paused ? "paused" : region.offered_ids.length > 0 ? "offered" : "notSetUp"
}

export const config = defineWidgetConfig({ zone: "region.details.after", id: "medusa-payment-crypto:region" })
