import type { MedusaContainer } from "@medusajs/framework/types"
import type { MedusaError } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { invalidData, notFound, unknownProviderError } from "../modules/crypto-payments/errors"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { queryStore } from "../modules/crypto-payments/store-query"
import { onlyOf } from "./offer-payment-link"

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
  const chosen = providerId ?? (await chooseProvider(ledger, orderId, order.region_id))
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

/** That of the page, or of the order's newest crypto payment, while it is registered; else the only one there is. */
async function chooseProvider(
  ledger: CryptoPaymentsModuleService,
  orderId: string,
  regionId: string | null
): Promise<string> {
  const registered = await ledger.settings.listRegistered()
  const page = await ledger.payPages.find(orderId)
  const known = [page?.provider_id, await ledger.orderLinks.findProvider(orderId)]
  const former = known.find((id) => id != null && registered.includes(id))
  if (former != null) {
    return former
  }
  const fields = ["payment_providers.id"]
  const filters = { id: regionId ?? "" }
  const regions = await queryStore<{ payment_providers?: { id: string }[] }>("region", fields, filters)
  const offered = regions.flatMap(({ payment_providers = [] }) => payment_providers.map(({ id }) => id))
  const configured = await ledger.settings.listConfigured()
  const inRegion = configured.filter((id) => offered.includes(id))
  // An order without a link to make yet has a page too, which says that it cannot be paid.
  const candidates = [inRegion, configured, registered].find(({ length }) => length > 0)
  return onlyOf(candidates ?? [])
}

function publicUrlMissing(): MedusaError {
  return invalidData(
    "A pay page needs the store's public address. Give publicUrl in the provider's options in medusa-config, or an " +
      "absolute admin.backendUrl.",
    "public_url_missing"
  )
}
