import type { AxiosResponse } from "axios"

/** The merchant adds one more of a variant to a placed order. `post` is for paths of the admin's API. */
export async function raiseOrder(
  post: (path: string, body: unknown) => Promise<AxiosResponse>,
  orderId: string,
  variantId: string | undefined
): Promise<void> {
  const steps: [string, unknown][] = [
    ["/order-edits", { order_id: orderId }],
    [`/order-edits/${orderId}/items`, { items: [{ variant_id: variantId, quantity: 1 }] }],
    [`/order-edits/${orderId}/confirm`, {}],
  ]
  for (const [path, body] of steps) {
    const { status, data } = await post(path, body)
    if (status !== 200) {
      throw new Error(`${path} answered ${String(status)}: ${JSON.stringify(data)}`)
    }
  }
}
