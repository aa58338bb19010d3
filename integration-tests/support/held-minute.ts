import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import type { StoreUnderTest } from "./store-under-test"

/**
 * In these tests one minute does not end: what a process may do each minute is counted, however long it takes. It begins
 * with each test, and a new one begins after it.
 *
 * @param checks of payers who return, or look-ups of requests without a row
 */
export function holdMinute(store: StoreUnderTest, checks: "returns" | "lookUps"): void {
  const begin = (began: number): void => {
    const ledger = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
    Object.assign(ledger.checks[checks], { window: { began, taken: 0 } })
  }
  beforeEach(() => begin(Number.POSITIVE_INFINITY))
  afterEach(() => begin(Number.NEGATIVE_INFINITY))
}
