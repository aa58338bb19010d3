import type { AxiosResponse } from "axios"

type Post = (path: string, body: unknown) => Promise<AxiosResponse>

/** The merchant adds one more of a variant to a placed order. `post` is for paths of the admin's API. */
export async function raiseOrder(post: Post, orderId: string, variantId: string | undefined): Promise<void> {
  await must(post, "/order-edits", { order_id: orderId })
  await must(post, `/order-edits/${orderId}/items`, { items: [{ variant_id: variantId, quantity: 1 }] })
  await must(post, `/order-edits/${orderId}/confirm`)
}

/** The merchant gives each item of a placed order another price: 5.00 of 20.01 is shipping. */
export async function reprice(
  post: Post,
  orderId: string,
  items: { id: string; quantity: number; unit_price: number }[]
): Promise<void> {
  await must(post, "/order-edits", { order_id: orderId })
  for (const { id, quantity, unit_price } of items) {
    await must(post, `/order-edits/${orderId}/items/item/${id}`, { quantity, unit_price })
  }
  await must(post, `/order-edits/${orderId}/confirm`)
}

/** All of an order's items are sent, so that they can be returned. */
export async function fulfill(
  post: Post,
  orderId: string,
  items: { id: string; quantity: number }[]
): Promise<void> {
  await must(post, `/orders/${orderId}/fulfillments`, { items })
}

/** @throws unless the admin's API answers 200 */
export async function must(post: Post, path: string, body: unknown = {}): Promise<Record<string, unknown>> {
  const { status, data } = await post(path, body)
  if (status !== 200) {
    throw new Error(`${path} answered ${String(status)}: ${JSON.stringify(data)}`)
  }
  return data as Record<string, unknown>
}
