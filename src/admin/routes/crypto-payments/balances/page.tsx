import { defineRouteConfig } from "@medusajs/admin-sdk"
import { LayoutComposer } from "@medusajs/dashboard/components"
import { Button, Container, Table, Text } from "@medusajs/ui"
import { useQuery } from "@tanstack/react-query"
import { Amount } from "../../../shared/values"
import { Crumb, guarded } from "../../../shared/page"
import { ProviderContent, ProviderSelect, useChosenProvider } from "../../../shared/provider"
import { ScrollRegion, SectionHeading } from "../../../shared/layout"
import { get } from "../../../shared/admin-api"
import { JUST_NOW } from "../../../shared/queries"
import { useWords } from "../../../shared/words"
import type { Balance } from "../../../../http-contract"

/** The live balances of the account at the gateway. */
const BalancesPage = () => {
  const t = useWords()
  const provider = useChosenProvider()
  const { providerId, providerIds, choose } = provider
  const balances = useBalances(providerId)
  return (
    <LayoutComposer
      widgetsZonePrefix="crypto_payment.balances"
      preferredLayoutId="core:single-column"
      sections={{
        main: (
          <LayoutComposer.Entry id="CryptoBalances">
            <Container className="divide-y overflow-hidden p-0">
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
                {(data) => <BalanceTable balances={data} />}
              </ProviderContent>
            </Container>
          </LayoutComposer.Entry>
        ),
      }}
    />
  )
}

function BalanceTable({ balances }: { balances: Balance[] }) {
  const t = useWords()
  if (balances.length === 0) {
    return (
      <Text size="small" className="text-ui-fg-subtle px-6 py-4">
        {t("balances.empty")}
      </Text>
    )
  }
  return (
    <ScrollRegion label={t("balances.title")}>
      <Table>
        <Table.Header>
          <Table.Row>
            <Table.HeaderCell className="text-start">{t("balances.asset")}</Table.HeaderCell>
            <Table.HeaderCell className="text-end">{t("balances.value")}</Table.HeaderCell>
            <Table.HeaderCell className="text-end">{t("balances.locked")}</Table.HeaderCell>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {balances.map(({ asset, value, locked }) => (
            <Table.Row key={asset}>
              <Table.Cell>{asset}</Table.Cell>
              <Table.Cell className="text-end">
                <Amount value={value} />
              </Table.Cell>
              <Table.Cell className="text-end">
                <Amount value={locked} />
              </Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
    </ScrollRegion>
  )
}

/** Live at the gateway. */
function useBalances(providerId: string | undefined) {
  return useQuery({
    queryKey: ["crypto-balances", providerId],
    queryFn: async () =>
      (await get<{ balances: Balance[] }>("/balances", { provider_id: providerId })).balances,
    enabled: providerId !== undefined,
    ...JUST_NOW,
    retry: false,
  })
}

export const config = defineRouteConfig({ label: "nav.balances", translationNs: "cryptoPayments", rank: 1 })

export const handle = { breadcrumb: () => <Crumb name="nav.balances" /> }

export default guarded(BalancesPage)
