/** Read from `/config.json` when the shop starts, so that one build serves every store. */
export interface ShopConfig {
  storeUrl: string
  publishableKey: string
  /** As in the store's options: whether the order is placed before the payer leaves. */
  orderPlacement: "after_payment" | "before_payment"
}

export async function readConfig(): Promise<ShopConfig> {
  const response = await fetch("/config.json")
  return (await response.json()) as ShopConfig
}
