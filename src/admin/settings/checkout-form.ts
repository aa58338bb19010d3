import type { CryptoSettings, OrderPlacement, SettingsInput } from "../../http-contract"
import { wholeNumber } from "./whole-number"

/** What shoppers notice: where they return, and when their order is placed. */
export interface CheckoutForm {
  successUrl: string
  failedUrl: string
  orderPlacement: OrderPlacement
  unpaidOrderTtlMinutes: string
  paymentLinkHosts: string
  reuseOpenLinks: boolean
}

export function checkoutForm({ fields }: CryptoSettings): CheckoutForm {
  return {
    successUrl: fields.success_url.value ?? "",
    failedUrl: fields.failed_url.value ?? "",
    orderPlacement: fields.order_placement.value ?? "after_payment",
    unpaidOrderTtlMinutes:
      fields.unpaid_order_ttl_minutes.value === null ? "" : String(fields.unpaid_order_ttl_minutes.value),
    paymentLinkHosts: (fields.payment_link_hosts.value ?? []).join(", "),
    reuseOpenLinks: fields.reuse_open_links.value ?? true,
  }
}

/** Only what was changed; an emptied field goes back to its default. */
export function checkoutInput(form: CheckoutForm, settings: CryptoSettings): SettingsInput {
  const before = checkoutForm(settings)
  const input: SettingsInput = {}
  if (form.successUrl.trim() !== before.successUrl) {
    input.success_url = form.successUrl.trim() || null
  }
  if (form.failedUrl.trim() !== before.failedUrl) {
    input.failed_url = form.failedUrl.trim() || null
  }
  if (form.orderPlacement !== before.orderPlacement) {
    input.order_placement = form.orderPlacement
  }
  if (form.unpaidOrderTtlMinutes.trim() !== before.unpaidOrderTtlMinutes) {
    const minutes = wholeNumber(form.unpaidOrderTtlMinutes)
    if (minutes !== undefined) {
      input.unpaid_order_ttl_minutes = minutes
    }
  }
  if (form.paymentLinkHosts !== before.paymentLinkHosts) {
    const hosts = form.paymentLinkHosts.split(/[\s,،]+/).filter((host) => host !== "")
    input.payment_link_hosts = hosts.length === 0 ? null : hosts
  }
  if (form.reuseOpenLinks !== before.reuseOpenLinks) {
    input.reuse_open_links = form.reuseOpenLinks
  }
  return input
}
