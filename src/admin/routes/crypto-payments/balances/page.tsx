import { defineRouteConfig } from "@medusajs/admin-sdk"
import { useDate } from "@medusajs/dashboard/hooks"
import type { Balance } from "../../../../http-contract"
import { useHealth } from "../../../settings/settings"
import { bodyOf } from "../../../shared/admin-api"
import { Action, FIGURE, FigureTable, Remark, SectionHeading } from "../../../shared/layout"
import { CardPage, EmptyNotice, guarded, Loaded, named, ProviderSelect } from "../../../shared/page"
import { JUST_NOW, useRead, useUrlState } from "../../../shared/queries"
import { Amount, NotSetUp } from "../../../shared/values"
import { t } from "../../../shared/words"

export default guarded(function BalancesPage() {
  const { getFullDate } = useDate()
  const health = useHealth()
  const registered = (health.data?.providers ?? []).filter((one) => one.registered)
  const providerIds = registered.map(({ provider_id }) => provider_id)
  const [inAddress, choose] = useUrlState("provider_id", "")
  const providerId = providerIds.find((id) => id === inAddress) ?? providerIds[0]
  const options = { enabled: providerId !== undefined, ...JUST_NOW, retry: false }
  const asked = { provider_id: providerId }
  const query = useRead<{ balances: Balance[] }>("crypto-balances", "/balances", asked, options)
  const refresh = { isLoading: query.isFetching, onClick: () => void query.refetch() }
  const at = new Date(query.dataUpdatedAt)
  const readAt = query.data && t("balances.readAt", { time: getFullDate({ date: at, includeTime: true }) })
  const isSetUp = bodyOf(query.error).code !== "not_configured"
  return (
    <CardPage zone="balances" id="CryptoBalances">
      <SectionHeading level="h1" title={t("nav.balances")} subtitle={readAt}>
        <ProviderSelect {...{ providerIds, providerId, choose }} />
        <Action label={t("balances.refresh")} {...refresh} />
      </SectionHeading>
      <Loaded query={health}>
        {() =>
          providerId === undefined ? (
            <EmptyNotice title={t("settings.noProviders")} hint={t("settings.noProvidersHint")} />
          ) : isSetUp ? (
            <Loaded query={query}>{({ balances }) => tableOf(balances)}</Loaded>
          ) : (
            <EmptyNotice title={t("settings.notConfigured")} hint={<NotSetUp providerId={providerId} />} />
          )
        }
      </Loaded>
    </CardPage>
  )
})

const tableOf = (balances: Balance[]) =>
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

export const config = defineRouteConfig({ label: "nav.balances", translationNs: "cryptoPayments", rank: 1 })

export const handle = named("nav.balances")
