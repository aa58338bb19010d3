import type { CreateOrderLineItemDTO, ExecArgs, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { createOrderWorkflow } from "@medusajs/medusa/core-flows"
import { createOrderPaymentLinkWorkflow } from "medusa-payment-crypto/workflows"

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
 * prices, and mails the new order's pay page. Run twice in a month, it renews nothing twice.
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
  const { id, email, region_id, sales_channel_id, customer_id, metadata, items } = former
  const { result: order } = await createOrderWorkflow(container).run({
    input: {
      ...{ email, region_id, sales_channel_id },
      ...(customer_id && { customer_id }),
      // Without prices: Medusa takes those of the variants.
      items: items.map(
        ({ title, variant_id, quantity }) => ({ title, variant_id, quantity }) as CreateOrderLineItemDTO
      ),
      metadata: { renewal_of: id },
    },
  })
  const renewed = { ...metadata, renewed_in: month }
  await container.resolve(Modules.ORDER).updateOrders([{ id, metadata: renewed }])
  // The page stays right whatever becomes of the order, so it is what to mail. The link is for this moment only.
  const { result: link } = await createOrderPaymentLinkWorkflow(container).run({
    input: { order_id: order.id },
  })
  // With a template of the store's provider for e-mail.
  await container.resolve(Modules.NOTIFICATION).createNotifications({
    to: email,
    channel: "email",
    template: "renewal",
    data: { url: link.url },
    idempotency_key: `renewal:${order.id}`,
  })
}
