import type { CreateOrderLineItemDTO, ExecArgs, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { createOrderWorkflow } from "@medusajs/medusa/core-flows"
import { createOrderPaymentLinkWorkflow } from "medusa-payment-crypto/workflows"

/** Of the store's crypto providers, the one that makes the links: a region may offer several. */
const PROVIDER = "pp_crypto_default"

/** What is read of the order that is renewed. */
interface FormerOrder {
  id: string
  email: string
  region_id: string
  sales_channel_id: string
  customer_id: string | null
  metadata: Record<string, unknown> | null
  items: { title: string; variant_id: string; quantity: number }[]
}

const FIELDS = ["id", "email", "region_id", "sales_channel_id", "customer_id", "metadata", "items.*"]

/**
 * `medusa exec ./src/scripts/renew-orders.ts order_… order_…`, once a month: orders the same items again, at today's
 * prices, and mails the new order's pay page. Run again in a month, also after a run that died, it renews nothing twice.
 * Two runs at once would.
 */
export default async function renewOrders({ container, args }: ExecArgs): Promise<void> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const month = new Date().toISOString().slice(0, "2026-11".length)
  const { data } = await query.graph({
    entity: "order",
    fields: FIELDS,
    filters: { id: args },
  })
  for (const order of data as unknown as FormerOrder[]) {
    if (order.metadata?.["renewed_in"] !== month) {
      await renew(container, order, month)
    }
  }
}

async function renew(container: MedusaContainer, former: FormerOrder, month: string): Promise<void> {
  const { id, email, metadata } = former
  const order_id =
    (await findRenewal(container, former, month)) ?? (await orderAgain(container, former, month))
  // The page stays right whatever becomes of the order, so it is what to mail. The link is for this moment only.
  const input = { order_id, provider_id: PROVIDER }
  const { result: link } = await createOrderPaymentLinkWorkflow(container).run({ input })
  // With a template of the store's provider for e-mail.
  await container.resolve(Modules.NOTIFICATION).createNotifications({
    to: email,
    channel: "email",
    template: "renewal",
    data: { url: link.url },
    idempotency_key: `renewal:${order_id}`,
  })
  // Last: a run that dies before this goes on where it was.
  const renewed = { ...metadata, renewed_in: month }
  await container.resolve(Modules.ORDER).updateOrders([{ id, metadata: renewed }])
}

/** The order that a run made which died afterwards. */
async function findRenewal(
  container: MedusaContainer,
  { id, email }: FormerOrder,
  month: string
): Promise<string | undefined> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "order", fields: ["id", "metadata"], filters: { email } })
  const orders = data as unknown as Pick<FormerOrder, "id" | "metadata">[]
  return orders.find(({ metadata }) => metadata?.["renewal_of"] === id && metadata["month"] === month)?.id
}

async function orderAgain(container: MedusaContainer, former: FormerOrder, month: string): Promise<string> {
  const { id, email, region_id, sales_channel_id, customer_id, items } = former
  const { result: order } = await createOrderWorkflow(container).run({
    input: {
      ...{ email, region_id, sales_channel_id },
      ...(customer_id && { customer_id }),
      // Without prices: Medusa takes those of the variants.
      items: items.map(
        ({ title, variant_id, quantity }) => ({ title, variant_id, quantity }) as CreateOrderLineItemDTO
      ),
      metadata: { renewal_of: id, month },
    },
  })
  return order.id
}
