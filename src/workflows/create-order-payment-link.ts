import {
  createHook,
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
  type WorkflowData,
} from "@medusajs/framework/workflows-sdk"
import { givePayPage } from "./give-pay-page"
import { offerPaymentLink } from "./offer-payment-link"

/** The order that is to be paid. */
export interface CreateOrderPaymentLinkInput {
  order_id: string
  /** `pp_crypto_<id>`. Needed if several crypto providers could make the link. */
  provider_id?: string
}

/** Where an order can be paid. */
export interface OrderPaymentLink {
  /** The order's pay page: the same each time, and right whatever the order owes later. This is the one to mail. */
  url: string
  /** The gateway's link for what the order owes now. */
  payment_link: string
  /** The payment request of that link. */
  crypto_payment_id: string
}

/** What the hook gets. */
interface PaymentLinkCreated {
  order_id: string
  link: OrderPaymentLink
}

/** What it makes is right without what follows, so a failure of a later step takes nothing back. */
const giveOrderPaymentLinkStep = createStep(
  "give-order-payment-link",
  async ({ order_id: orderId, provider_id }: CreateOrderPaymentLinkInput, { container }) => {
    const { url, providerId } = await givePayPage(container, { orderId, providerId: provider_id })
    const { id, payment_link } = await offerPaymentLink(container, { orderId, providerId })
    return new StepResponse<OrderPaymentLink>({ url, payment_link, crypto_payment_id: id })
  }
)

/**
 * Gives the pay page of an order and a payment link for what the order owes now, for renewals, invoices and quotes. The
 * same order gets the same page, and its open link again.
 *
 * It may run in a step of another workflow, or as one: it starts core's workflows on their own, so that their locks
 * apply, and its own locks do not depend on the workflow. If the other workflow fails later, page and link stay: they
 * ask for what the order owes, and for nothing once it owes nothing.
 *
 * The hook `paymentLinkCreated` gets `order_id` and the result as `link`, to mail the address.
 *
 * @throws MedusaError 404 for an unknown order; 400 when it owes nothing, or the link cannot be made
 * @example
 * const { result } = await createOrderPaymentLinkWorkflow(container).run({ input: { order_id: order.id } })
 * await mail(order.email, result.url)
 */
export const createOrderPaymentLinkWorkflow = createWorkflow(
  "create-order-payment-link",
  (input: WorkflowData<CreateOrderPaymentLinkInput>) => {
    const link = giveOrderPaymentLinkStep(input)
    const created = { order_id: input.order_id, link }
    // With its types written out: core's name a package that this one does not declare.
    const paymentLinkCreated = createHook<"paymentLinkCreated", PaymentLinkCreated, unknown>(
      "paymentLinkCreated",
      created
    )
    return new WorkflowResponse(link, { hooks: [paymentLinkCreated] })
  }
)
