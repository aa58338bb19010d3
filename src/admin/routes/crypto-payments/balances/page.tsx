import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Button } from "@medusajs/ui"
import type { Balance } from "../../../../http-contract"
import { FigureTable, Remark, SectionHeading } from "../../../shared/layout"
import { Crumb, guarded, Page } from "../../../shared/page"
import { ProviderContent, ProviderSelect, useChosenProvider } from "../../../shared/provider"
import { JUST_NOW, useRead } from "../../../shared/queries"
import { Amount } from "../../../shared/values"
import { useWords } from "../../../shared/words"

/** The live balances of the account at the gateway. */
const BalancesPage = () => {
  const t = useWords()
  const provider = useChosenProvider()
  const { providerId, providerIds, choose } = provider
  const balances = useRead<{ balances: Balance[] }>(
    "crypto-balances",
    "/balances",
    { provider_id: providerId },
    { enabled: providerId !== undefined, ...JUST_NOW, retry: false }
  )
  return (
    <Page zone="balances" id="CryptoBalances">
      <SectionHeading level="h1" title={t("balances.title")} subtitle={t("balances.subtitle")}>
        <ProviderSelect providerIds={providerIds} value={providerId ?? ""} onChange={choose} />
        <Button
          size="small"
          variant="secondary"
          isLoading={balances.isFetching}
          onClick={() => void balances.refetch()}
        >
          {t("balances.refresh")}
        </Button>
      </SectionHeading>
      <ProviderContent provider={provider} query={balances}>
        {(data) => <BalanceTable balances={data.balances} />}
      </ProviderContent>
    </Page>
  )
}

function BalanceTable({ balances }: { balances: Balance[] }) {
  const t = useWords()
  if (balances.length === 0) {
    return <Remark>{t("balances.empty")}</Remark>
  }
  return (
    <FigureTable
      label={t("balances.title")}
      rows={balances}
      rowKey={({ asset }) => asset}
      columns={[
        { header: t("balances.asset"), cell: ({ asset }) => asset },
        { header: t("balances.value"), isFigure: true, cell: ({ value }) => <Amount value={value} /> },
        { header: t("balances.locked"), isFigure: true, cell: ({ locked }) => <Amount value={locked} /> },
      ]}
    />
  )
}

export const config = defineRouteConfig({ label: "nav.balances", translationNs: "cryptoPayments", rank: 1 })

export const handle = { breadcrumb: () => <Crumb name="nav.balances" /> }

export default guarded(BalancesPage)
