import { defineRouteConfig } from "@medusajs/admin-sdk"
import type { Balance } from "../../../../http-contract"
import { Action, FIGURE, FigureTable, Remark, SectionHeading } from "../../../shared/layout"
import { CardPage, guarded, named, ProviderContent, ProviderSelect, useProvider } from "../../../shared/page"
import { JUST_NOW, useRead } from "../../../shared/queries"
import { Amount } from "../../../shared/values"
import { t } from "../../../shared/words"

export default guarded(function BalancesPage() {
  const provider = useProvider()
  const asked = { provider_id: provider.providerId }
  const options = { enabled: provider.providerId !== undefined, ...JUST_NOW, retry: false }
  const query = useRead<{ balances: Balance[] }>("crypto-balances", "/balances", asked, options)
  const refresh = { isLoading: query.isFetching, onClick: () => void query.refetch() }
  return (
    <CardPage zone="balances" id="CryptoBalances">
      <SectionHeading level="h1" title={t("nav.balances")} subtitle={query.data && t("balances.subtitle")}>
        <ProviderSelect {...provider} />
        <Action label={t("balances.refresh")} {...refresh} />
      </SectionHeading>
      <ProviderContent provider={provider} query={query}>
        {({ balances }) =>
          balances.length === 0 ? (
            <Remark>{t("balances.empty")}</Remark>
          ) : (
            <FigureTable
              label={t("nav.balances")}
              rows={balances}
              rowKey={({ asset }) => asset}
              columns={[
                [t("balances.asset"), ({ asset }) => asset],
                [t("balances.value"), ({ value }) => <Amount value={value} />, FIGURE],
                [t("balances.locked"), ({ locked }) => <Amount value={locked} />, FIGURE],
              ]}
            />
          )
        }
      </ProviderContent>
    </CardPage>
  )
})

export const config = defineRouteConfig({ label: "nav.balances", translationNs: "cryptoPayments", rank: 1 })

export const handle = named("nav.balances")
