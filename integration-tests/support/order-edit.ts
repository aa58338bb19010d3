import type { StoreUnderTest } from "./store-under-test"

/** The merchant adds one more of the seeded product to a placed order: 15.01 USD. */
export async function raiseOrder(store: StoreUnderTest, orderId: string): Promise<void> {
  const steps: [string, unknown][] = [
    ["/admin/order-edits", { order_id: orderId }],
    [
      `/admin/order-edits/${orderId}/items`,
      { items: [{ variant_id: store.seeded.variantIds[1], quantity: 1 }] },
    ],
    [`/admin/order-edits/${orderId}/confirm`, {}],
  ]
  for (const [path, body] of steps) {
    const { status, data } = await store.http.post<unknown>(path, body, await store.admin())
    if (status !== 200) {
      throw new Error(`${path} answered ${String(status)}: ${JSON.stringify(data)}`)
    }
  }
}
