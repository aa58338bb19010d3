// For `medusa exec`: a merchant's script that cancels one order, in a process that ends at once.
import { cancelOrderWorkflow } from "@medusajs/medusa/core-flows"

export default async function cancelOrder({ container, args: [id] }) {
  // Our provider refuses to refund, and core cancels the order all the same.
  await cancelOrderWorkflow(container).run({ input: { order_id: String(id) }, throwOnError: false })
}
