import { queryBuyers, queryByIds, type Named } from "../store-query"

/** What an admin user may see in addition to payments. Medusa's roles grant each separately. */
export interface Viewer {
  customers: boolean
  users: boolean
  orders: boolean
}

/** Of what leaves the admin. */
export const PAYMENTS_ALONE: Viewer = { customers: false, users: false, orders: false }

/** Medusa's customer of the order, else of the cart. The plugin stores none of it. */
export interface Customer {
  /** `cus_…`; null if the order or cart has no customer, or the customer was deleted. */
  id: string | null
  name: string | null
  email: string | null
}

function fullName(person: Named | null | undefined): string | null {
  return [person?.first_name?.trim(), person?.last_name?.trim()].filter(Boolean).join(" ") || null
}

/** The customers of a page of payments. A guest's customer has no name: then the address's name is used. */
export async function readCustomers(
  payments: readonly { linked_order_id: string | null; cart_id: string | null }[]
): Promise<(Customer | null)[]> {
  const orderIds = payments.map(({ linked_order_id }) => linked_order_id)
  const orders = await queryBuyers("order", orderIds)
  const unplaced = payments.filter(({ linked_order_id }) => !orders.has(linked_order_id ?? ""))
  const cartIds = unplaced.map(({ cart_id }) => cart_id)
  const carts = await queryBuyers("cart", cartIds)
  return payments.map(({ linked_order_id, cart_id }) => {
    const buyer = orders.get(linked_order_id ?? "") ?? carts.get(cart_id ?? "")
    const name =
      fullName(buyer?.customer) ?? fullName(buyer?.shipping_address) ?? fullName(buyer?.billing_address)
    const email = buyer?.email ?? buyer?.customer?.email ?? null
    const id = buyer?.customer?.id ?? null
    return id === null && name === null && email === null ? null : { id, name, email }
  })
}

/** The names of admin users and API keys. A user without a name is shown by the e-mail address. */
export async function readActors(
  ids: readonly (string | null)[],
  { users }: Viewer
): Promise<Map<string, string | null>> {
  const keys = await queryByIds<{ id: string; title: string }>("api_key", ["id", "title"], ids)
  const fields = ["id", "first_name", "last_name", "email"]
  // A user who has left keeps the name.
  const people = await queryByIds<Named & { id: string; email: string }>("user", fields, users ? ids : [], {
    withDeleted: true,
  })
  return new Map([
    ...[...people.values()].map((person) => [person.id, fullName(person) ?? person.email] as const),
    ...[...keys.values()].map(({ id, title }) => [id, title] as const),
  ])
}
