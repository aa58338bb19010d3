import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { completeCartWorkflowId } from "@medusajs/medusa/core-flows"
import { isLeftToPerson, type ActEnd } from "../../decision"
import { waitAtMost } from "../../modules/crypto-payments/waiting"
import { CORE_MS, runInCore, whileLocked } from "./cart-lock"
import { agreesWithSession } from "./cart-total"
import { dropRivalSessions } from "./drop-rival-sessions"
import { warn, type Settling } from "./settling"
import { recomputeCollectionSums } from "./collection-sums"

/** So short that a settle which waited does not act on what was read long ago, nor outlives its lease. */
const WAIT_S = 10
/** The shortest that a locking provider waits. */
const LOOK_S = 1

interface CartWithStock {
  items?: ({ variant?: { inventory_items?: { inventory_item_id: string }[] } | null } | null)[]
}

/**
 * Has core complete the cart of an earlier capture: one cart at a time in all processes, and only while neither the cart
 * nor the stock of one of its products is locked.
 *
 * Core asks for the stock locks of all products of a cart at once. With Redis, a cart that does not get them all within
 * five seconds leaves those that it got locked for a minute. The carts that one outage has kept from their orders are
 * due together, and each could lock stock that another one needs, again and again.
 *
 * @returns `blocked` when a lock was not free, and core was not asked
 * @throws TookTooLong after `CORE_MS`, so that other carts get their orders
 */
export async function placeOrder(settling: Settling, cartId: string): Promise<ActEnd> {
  const { container, ledger, row } = settling
  const place = async (): Promise<ActEnd> => {
    if (!isLeftToPerson(row) && isLeftToPerson(await ledger.requests.require(row.id))) {
      // An admin user closed the case during the wait. The order is placed only on request.
      return "done"
    }
    if (ledger.runningSettles.isStopping || !(await areFree(container, await listLocks(container, cartId)))) {
      return "blocked"
    }
    await dropRivalSessions(settling)
    if (!(await agreesWithSession(container, cartId))) {
      // The cart was changed during the wait: it is read and decided again.
      return "done"
    }
    await runInCore(container, completeCartWorkflowId, { id: cartId })
    // Core may have died between the capture and the collection's sums, which it writes only with a capture.
    await recomputeCollectionSums(container, row.payment_collection_id)
    return "again"
  }
  const limited = async (): Promise<ActEnd> => await waitAtMost(CORE_MS, place())
  const end = (await whileLocked(container, "crypto:place-order", WAIT_S, limited))?.result ?? "blocked"
  if (end === "blocked") {
    warn(
      container,
      `crypto payment ${row.id}: its cart, its stock or another order is locked; its own order waits`
    )
  }
  return end
}

/** The locks that core takes to complete the cart: the cart's, and one for the stock of each product. */
async function listLocks(container: MedusaContainer, cartId: string): Promise<string[]> {
  // A store may not have the module: core then registers it as undefined.
  if (container.resolve<unknown>(Modules.INVENTORY, { allowUnregistered: true }) === undefined) {
    return [cartId]
  }
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "cart",
    fields: ["items.variant.inventory_items.inventory_item_id"],
    filters: { id: cartId },
  })
  const [cart] = data as unknown as [CartWithStock | undefined]
  const stock = (cart?.items ?? []).flatMap((item) => item?.variant?.inventory_items ?? [])
  return [cartId, ...new Set(stock.map(({ inventory_item_id }) => inventory_item_id))]
}

/** A lock that is asked for alone is never left locked. */
async function areFree(container: MedusaContainer, keys: readonly string[]): Promise<boolean> {
  const look = async (key: string) => await whileLocked(container, key, LOOK_S, () => Promise.resolve())
  return !(await Promise.all(keys.map(look))).includes(undefined)
}
