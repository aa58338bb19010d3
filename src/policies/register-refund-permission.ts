import { definePolicies, PolicyOperation } from "@medusajs/framework/utils"

/**
 * Core asks for this permission where it refunds, and so do we; but core 2.21.2 does not register it, and then no role
 * can be given it. By the name core would give it, so that a core that registers it too registers the same.
 */
export const refundPolicies = definePolicies({
  name: "CreateRefund",
  resource: "refund",
  operation: PolicyOperation.create,
  description: "Create Refund",
})
