import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { offerPaymentLinkWorkflow } from "../../../../../workflows"

/** The link an unpaid order's customer can pay at: the open one, or a new one. 400 when nothing waits to be paid. */
export async function POST(
  req: AuthenticatedMedusaRequest,
  res: MedusaResponse<{ payment_link: string }>
): Promise<void> {
  const { result } = await offerPaymentLinkWorkflow(req.scope).run({ input: { id: req.params["id"] ?? "" } })
  res.status(200).json(result)
}
