import { defineRouteConfig } from "@medusajs/admin-sdk"
import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import { Crumb } from "../../../components/crumb"
import { LoadError } from "../../../components/load-error"
import { LoadingRows } from "../../../components/loading-rows"
import { SettlementsPlot } from "../../../components/settlements-plot"
import { SettlementsTable } from "../../../components/settlements-table"
import { SettlementsToolbar } from "../../../components/settlements-toolbar"
import { useSettlements } from "../../../hooks/reports"
import { useSettlementQuery } from "../../../hooks/settlement-query"
import { apiMessage } from "../../../lib/api-message"
import { useWords } from "../../../hooks/words"

/** Gross, fees and net, over time. */
const SettlementsPage = () => {
  const t = useWords()
  const { query, ...choices } = useSettlementQuery()
  const { data, isError, error, refetch } = useSettlements(query)
  return (
    <LayoutComposer
      widgetsZonePrefix="crypto_payment.settlements"
      preferredLayoutId="core:single-column"
      sections={{
        main: (
          <LayoutComposer.Entry id="CryptoSettlements">
            <Container className="divide-y overflow-hidden p-0">
              <SettlementsToolbar query={query} choices={choices} report={data} />
              {isError ? (
                <LoadError message={apiMessage(error, t)} onRetry={() => void refetch()} />
              ) : data === undefined ? (
                <LoadingRows />
              ) : (
                <>
                  {data.totals.map(({ currency_code }) => (
                    <SettlementsPlot key={currency_code} report={data} currency={currency_code} />
                  ))}
                  <SettlementsTable report={data} />
                </>
              )}
            </Container>
          </LayoutComposer.Entry>
        ),
      }}
    />
  )
}

export const config = defineRouteConfig({
  label: "nav.settlements",
  translationNs: "cryptoPayments",
  rank: 2,
})

export const handle = { breadcrumb: () => <Crumb name="nav.settlements" /> }

export default SettlementsPage
