import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import type { INotificationModuleService, Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { describeError } from "../modules/crypto-payments/errors"
import {
  CryptoPaymentEvents,
  type AuditFailedData,
  type CryptoPaymentEventData,
} from "../modules/crypto-payments/events"

type Told = CryptoPaymentEventData | AuditFailedData

const RETRY_AFTER_MS = 5000

/**
 * Tells the merchant of a new case and of what the audit found, in the bell of the admin or where the option
 * `notifications` says. The attention list and the audit's report have both all the same, so a notification that cannot
 * be sent costs a second try and a line in the log.
 */
export default async function notifyMerchant({ event, container }: SubscriberArgs<Told>): Promise<void> {
  // The bus hands this process one event at a time, so it is not kept waiting for a provider.
  void notify(container, event.data)
    .catch(async () => {
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS).unref())
      // Of its own key: Medusa 2.21.2 sends again what failed under a key, and then throws that it does not know it.
      await notify(container, { ...event.data, event_id: `${event.data.event_id}:again` })
    })
    .catch((error: unknown) => {
      container
        .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
        .warn(`crypto payments: a notification of ${event.name} was not sent (${describeError(error)})`)
    })
  await Promise.resolve()
}

async function notify(container: MedusaContainer, event: Told): Promise<void> {
  const place = await resolveLedger(container).settings.readNotifications(
    "rules" in event ? undefined : event.provider_id
  )
  // A store need not have the module.
  const notifications = container.resolve<INotificationModuleService | undefined>(Modules.NOTIFICATION, {
    allowUnregistered: true,
  })
  if (place === false || notifications === undefined) {
    return
  }
  // The key is the same for every repeat of the event: Medusa sends it once.
  await notifications.createNotifications({
    ...place,
    template: "crypto-payment",
    data: describe(event),
    idempotency_key: event.event_id,
  })
}

/** What the bell shows, and a template may: no payer, and no id that opens a cart or an order. */
function describe(event: Told): Record<string, unknown> {
  if ("rules" in event) {
    const { findings, rules } = event
    return {
      title: "Crypto payments: audit",
      description: `Findings: ${String(findings)}. Open Crypto payments, Audit.`,
      findings,
      rules,
    }
  }
  const { id, amount, currency_code, reason = "" } = event
  const words = reason.replaceAll("_", " ")
  return {
    title: "Crypto payment needs attention",
    description: `${amount} ${currency_code.toUpperCase()}: ${words}. Open Crypto payments, Attention, payment ${id}.`,
    id,
    amount,
    currency_code,
    reason,
  }
}

export const config: SubscriberConfig = {
  event: [CryptoPaymentEvents.ATTENTION_REQUIRED, CryptoPaymentEvents.AUDIT_FAILED],
  context: { subscriberId: "crypto-payment-notify-merchant" },
}
