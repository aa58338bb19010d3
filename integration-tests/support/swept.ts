import type { Window } from "../../.medusa/server/src/modules/crypto-payments/checks/windows"
import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import type { StoreUnderTest } from "./store-under-test"

/** Checks the rules of a window once, as each minute does. @returns the rows that became due */
export async function sweptIds(
  { container }: Pick<StoreUnderTest, "container">,
  window: Window
): Promise<string[]> {
  const { sweeps } = container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
  return (await sweeps.sweep(window)).due
}
