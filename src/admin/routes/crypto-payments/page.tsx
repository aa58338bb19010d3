import { defineRouteConfig } from "@medusajs/admin-sdk"
import { CurrencyDollar } from "@medusajs/icons"
import { Badge, Heading, Tabs } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"
import { AttentionList } from "../../attention/attention-list"
import { useOpenCases } from "../../payments/payments"
import { PaymentsTable } from "../../payments/payments-table"
import { Boundary, guarded, named, Page } from "../../shared/page"
import { useDirection, useWords } from "../../shared/words"

/** All payments, and those that need attention. */
const CryptoPaymentsPage = () => {
  const t = useWords()
  const openCases = useOpenCases()
  const [parameters, setParameters] = useSearchParams()
  const tab = parameters.get("tab") === "attention" ? "attention" : "all"
  const tabs = (
    <Tabs
      dir={useDirection()}
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
  )
  return <Page zone="list" main={{ CryptoPaymentsTabs: tabs }} />
}

/** The side bar's icon, on every page of the dashboard, with the number of cases that need attention. */
function PaymentsIcon() {
  return (
    <Boundary fallback={() => <CurrencyDollar />}>
      <CurrencyDollar />
      <OpenCases />
    </Boundary>
  )
}

const SHOWN_AT_MOST = 9

/** It leaves the box that the side bar cuts icons off at: it is placed by its own line, relative to nothing. */
function OpenCases() {
  const t = useWords()
  const count = useOpenCases()
  return count === 0 ? null : (
    <span className="absolute -mt-[21px] ms-[9px] flex h-3.5 min-w-3.5 items-center justify-center rounded-full bg-ui-button-danger px-[3px] text-[9px] font-medium leading-none text-ui-fg-on-color">
      <span aria-hidden>{count > SHOWN_AT_MOST ? `${String(SHOWN_AT_MOST)}+` : count}</span>
      <span className="sr-only">{t("nav.casesOpen", { count })}</span>
    </span>
  )
}

export const config = defineRouteConfig({
  label: "nav.payments",
  icon: PaymentsIcon,
  translationNs: "cryptoPayments",
})

export const handle = named("nav.payments")

export default guarded(CryptoPaymentsPage)
