import { defineRouteConfig } from "@medusajs/admin-sdk"
import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import { Crumb, guarded } from "../../../shared/page"
import { LoadError, LoadingRows } from "../../../shared/notices"
import { SettlementsPlots } from "../../../settlements/settlements-plot"
import { SettlementsTable, SettlementsTotals } from "../../../settlements/settlements-table"
import { SettlementsToolbar } from "../../../settlements/settlements-toolbar"
import { useSettlementQuery, useSettlements } from "../../../settlements/settlement-query"
import { apiMessage } from "../../../shared/admin-api"
import { useWords } from "../../../shared/words"

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
                  <SettlementsTotals report={data} />
                  <SettlementsPlots report={data} query={query} />
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

export default guarded(SettlementsPage)
