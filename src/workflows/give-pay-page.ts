import type { MedusaContainer } from "@medusajs/framework/types"
import type { MedusaError } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { invalidData, notFound, unknownProviderError } from "../modules/crypto-payments/errors"
import { queryStore } from "../modules/crypto-payments/store-query"
import { providerOfOrder } from "./offer-payment-link"

/** The order whose page is wanted. */
interface WantedPage {
  orderId: string
  providerId?: string | undefined
  /** Whether the addresses that were given before end. */
  reset?: boolean | undefined
}

/**
 * Gives the lasting address at which anybody can pay what an order owes: the same one each time. Also of an order that
 * owes nothing, which its page then says. As with a payment link that the merchant asks for, the time of an unpaid
 * order begins again.
 *
 * @throws MedusaError 404 for an unknown order; 400 when several providers could make its links, or the store's public
 *   address is not known
 */
export async function givePayPage(
  container: MedusaContainer,
  { orderId, providerId, reset = false }: WantedPage
): Promise<{ url: string; providerId: string }> {
  const ledger = resolveLedger(container)
  const [order] = await queryStore<{ region_id: string | null }>("order", ["region_id"], { id: orderId })
  if (order === undefined) {
    throw notFound("There is no such order.")
  }
  const chosen = providerId ?? (await providerOfOrder(ledger, orderId, order.region_id))
  if (!(await ledger.settings.listRegistered()).includes(chosen)) {
    throw unknownProviderError()
  }
  await ledger.payPages.give(orderId, chosen, reset)
  const url = await ledger.payPages.addressOf(orderId)
  if (url === undefined) {
    throw publicUrlMissing()
  }
  await ledger.orderLinks.restartTime(orderId)
  return { url, providerId: chosen }
}

function publicUrlMissing(): MedusaError {
  return invalidData(
    "A pay page needs the store's public address. Give publicUrl in the provider's options in medusa-config.",
    "public_url_missing"
  )
}
