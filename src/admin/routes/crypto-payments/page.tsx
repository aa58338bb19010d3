import { defineRouteConfig } from "@medusajs/admin-sdk"
import { LayoutComposer } from "@medusajs/dashboard/components"
import { Badge, Heading, Tabs } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"
import { AttentionList } from "../../attention/attention-list"
import { Crumb, guarded } from "../../shared/page"
import { PaymentsIcon } from "../../payments/payments-icon"
import { PaymentsTable } from "../../payments/payments-table"
import { useDirection, useWords } from "../../shared/words"
import { useOpenCases } from "../../payments/payments"

/** All payments, and those that need attention. */
const CryptoPaymentsPage = () => {
  const t = useWords()
  const openCases = useOpenCases()
  const direction = useDirection()
  const [parameters, setParameters] = useSearchParams()
  const tab = parameters.get("tab") === "attention" ? "attention" : "all"
  return (
    <LayoutComposer
      widgetsZonePrefix="crypto_payment.list"
      preferredLayoutId="core:single-column"
      sections={{
        main: (
          <LayoutComposer.Entry id="CryptoPaymentsTabs">
            <Tabs
              dir={direction}
              value={tab}
              // What was searched and filtered in one view means nothing in the other.
              onValueChange={(value) => setParameters(value === "attention" ? { tab: value } : {})}
              className="flex flex-col gap-y-3"
            >
              <Heading className="sr-only">{t("list.title")}</Heading>
              <Tabs.List aria-label={t("list.tabs.label")}>
                <Tabs.Trigger value="all">{t("list.tabs.all")}</Tabs.Trigger>
                <Tabs.Trigger value="attention" className="flex items-center gap-x-2">
                  {t("list.tabs.attention")}
                  {openCases > 0 && (
                    <Badge size="2xsmall" color="red" rounded="full">
                      {openCases}
                    </Badge>
                  )}
                </Tabs.Trigger>
              </Tabs.List>
              <Tabs.Content value="all">
                <PaymentsTable />
              </Tabs.Content>
              <Tabs.Content value="attention">
                <AttentionList />
              </Tabs.Content>
            </Tabs>
          </LayoutComposer.Entry>
        ),
      }}
    />
  )
}

export const config = defineRouteConfig({
  label: "nav.payments",
  icon: PaymentsIcon,
  translationNs: "cryptoPayments",
})

export const handle = { breadcrumb: () => <Crumb name="nav.payments" /> }

export default guarded(CryptoPaymentsPage)
