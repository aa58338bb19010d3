import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import type { StoreUnderTest } from "./store-under-test"

/**
 * In these tests one minute does not end: what a process may do each minute is counted, however long it takes. It begins
 * with each test, and a new one begins after it.
 */
export function holdMinute(store: StoreUnderTest): void {
  const begin = (began: number): void => {
    const ledger = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
    Object.assign(ledger.checks["returns"], { window: { began, taken: 0 } })
  }
  beforeEach(() => begin(Number.POSITIVE_INFINITY))
  afterEach(() => begin(Number.NEGATIVE_INFINITY))
}
