import { CurrencyDollar } from "@medusajs/icons"
import { useOpenCases } from "./payments"
import { Boundary } from "../shared/page"
import { useWords } from "../shared/words"

const SHOWN_AT_MOST = 9

/**
 * The side bar's icon, with the number of cases that need attention.
 *
 * The number leaves the box that the side bar cuts icons off at: it is placed by its own line, relative to nothing.
 */
export function PaymentsIcon() {
  // It is drawn in the side bar of every page of the dashboard.
  return (
    <Boundary fallback={() => <CurrencyDollar />}>
      <IconWithCount />
    </Boundary>
  )
}

function IconWithCount() {
  const count = useOpenCases()
  const t = useWords()
  return (
    <>
      <CurrencyDollar />
      {count > 0 && (
        <span className="absolute -mt-[21px] ms-[9px] flex h-3.5 min-w-3.5 items-center justify-center rounded-full bg-ui-button-danger px-[3px] text-[9px] font-medium leading-none text-ui-fg-on-color">
          <span aria-hidden>{count > SHOWN_AT_MOST ? `${String(SHOWN_AT_MOST)}+` : count}</span>
          <span className="sr-only">{t("nav.casesOpen", { count })}</span>
        </span>
      )}
    </>
  )
}
