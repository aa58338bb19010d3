import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"
import { createPaymentSessionsWorkflow } from "@medusajs/medusa/core-flows"
import { amountsEqual, hasBegun, mayHaveMoney, toRequestedMoney } from "../decision"
import { resolveLedger } from "../modules/crypto-payments"
import {
  alreadyPaidError,
  beingStartedError,
  invalidData,
  notAllowed,
} from "../modules/crypto-payments/errors"
import { refuseWhilePaused } from "../modules/crypto-payments/paused"
import { payerEmail } from "../modules/crypto-payments/payment-requests/refuse-unpayable"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { queryStore } from "../modules/crypto-payments/store-query"
import { askForWhatIsOwed, createOrderCollection, withSessionLock } from "./core/payment-collections"
import { deleteSessionsOfMissingProviders } from "./core/missing-providers"

/**
 * Any row (`cpreq_…`) of the order, whose provider makes the link; or the order, with the given provider or that of
 * `providerOfOrder`.
 */
type WantedLink =
  | { id: string }
  | {
      orderId: string
      providerId?: string | undefined
      /** Its customer asks, on its pay page. Only the merchant begins the time of an unpaid order again. */
      byPayer?: boolean
    }

/**
 * Gives the open or a new link for all that an order owes, to be sent to its customer: of its newest collection that
 * waits for a payment, else of a new one. MedusaError 404 for an unknown id, 400 when nothing waits to
 * be paid, or the store is paused.
 */
export async function offerPaymentLink(
  container: MedusaContainer,
  input: WantedLink
): Promise<{ id: string; payment_link: string }> {
  refuseWhilePaused()
  const ledger = resolveLedger(container)
  const { orderId, wanted, provider } = await whatIsWanted(ledger, input)
  const held = await withSessionLock(container, orderId, async () => {
    const payable = await ledger.orderLinks.findPayable(orderId)
    if (payable === undefined) {
      throw nothingToPay()
    }
    if (payable.is_being_settled) {
      throw alreadyPaidError()
    }
    const providerId = provider ?? (await providerOfOrder(ledger, orderId, payable.region_id))
    // Below, the same is said in a shopper's words.
    await ledger.settings.require(providerId)
    // Before anything is written: without a link, neither a collection nor the order's time is of use.
    toRequestedMoney(payable.outstanding, payable.currency_code)
    payerEmail({ email: payable.email, order_id: orderId })
    if ("orderId" in input && input.byPayer === true) {
      const open = await findOpenLink(ledger, orderId, providerId, payable.outstanding)
      if (open !== undefined) {
        return { result: open }
      }
    } else {
      // Before the link is created: the order must not be cancelled while the gateway is slow.
      await ledger.orderLinks.restartTime(orderId)
    }
    // One that waits for a payment, or a new one for what is owed.
    const collectionId =
      payable.collection_ids.find((id) => id === wanted) ??
      payable.collection_ids[0] ??
      (await createOrderCollection(container, orderId, payable.outstanding))
    const open = async () => await openLink(container, providerId, collectionId, payable.outstanding)
    return await withSessionLock(container, collectionId, open)
  })
  if (held?.result === undefined) {
    throw beingStartedError()
  }
  return held.result.result
}

/** The collection whose link is `wanted` may be paid already. */
async function whatIsWanted(ledger: CryptoPaymentsModuleService, input: WantedLink) {
  if ("orderId" in input) {
    return { orderId: input.orderId, wanted: null, provider: input.providerId }
  }
  const row = await ledger.requests.require(input.id)
  const { order_id: orderId } = await ledger.facts.read(row.id)
  if (orderId === null) {
    throw nothingToPay()
  }
  return { orderId, wanted: row.payment_collection_id, provider: row.provider_id }
}

/**
 * That of the page, or of the order's newest crypto payment, while it is registered; else the only one that the order's
 * region offers, or that there is.
 */
export async function providerOfOrder(
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

/** @throws MedusaError 400 that names the providers, unless there is exactly one */
function onlyOf(providers: readonly string[]): string {
  const [provider, ...others] = providers
  if (provider === undefined || others.length > 0) {
    const names = others.length > 0 ? ` One of: ${providers.join(", ")}.` : ""
    throw invalidData(
      `Say with \`provider_id\` which crypto provider the link should use.${names}`,
      "provider_needed"
    )
  }
  return provider
}

/** Whoever presses the button of a pay page again gets the open link of that sum, and nothing is made, however often. */
async function findOpenLink(
  ledger: CryptoPaymentsModuleService,
  orderId: string,
  providerId: string,
  owed: string
): Promise<{ id: string; payment_link: string } | undefined> {
  const offered = await ledger.orderLinks.findOffered(orderId, null)
  if (offered === undefined || offered.isOutdated) {
    return undefined
  }
  const { id, payment_link, ...row } = await ledger.requests.require(offered.id)
  const settings = await ledger.settings.require(providerId)
  const isOpen = row.provider_id === providerId && payment_link !== null
  if (!isOpen || !(await ledger.issuer.isStillPayable({ ...row, id, payment_link }, settings))) {
    return undefined
  }
  if (amountsEqual(row.amount, owed)) {
    return { id, payment_link }
  }
  // A collection of the order asks for a part, and the page names all that is owed.
  const read = await ledger.requests.require(id)
  if (mayHaveMoney(read) || hasBegun(read)) {
    throw alreadyPaidError()
  }
  return undefined
}

async function openLink(
  container: MedusaContainer,
  provider_id: string,
  collectionId: string,
  owed: string
): Promise<{ id: string; payment_link: string }> {
  const ledger = resolveLedger(container)
  await deleteSessionsOfMissingProviders(container, collectionId)
  const facts = await ledger.issuer.assertPayable(collectionId, provider_id)
  await askForWhatIsOwed(container, collectionId, facts, owed)
  const { result } = await createPaymentSessionsWorkflow(container).run({
    input: { payment_collection_id: collectionId, provider_id },
  })
  const bound = await ledger.requests.findBySession(result.id)
  if (bound?.payment_link == null || bound.paid_at !== null) {
    // Earlier money that had no order was found for it: it is being settled.
    throw alreadyPaidError()
  }
  return { id: bound.id, payment_link: bound.payment_link }
}

function nothingToPay(): MedusaError {
  return notAllowed(
    "Only an order that is not cancelled and owes something has a payment link to send.",
    "nothing_to_pay"
  )
}
