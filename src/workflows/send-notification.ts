import type {
  CreateNotificationDTO,
  INotificationModuleService,
  MedusaContainer,
} from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { warn } from "./core/settling"

const RETRY_AFTER_MS = 5000

/**
 * Sends a notification of an event through Medusa's Notification module, which a store may not have. Whoever is told
 * can also see it elsewhere, so a failure only costs a second try and a log entry. Nobody waits for it: the bus gives
 * a process one event at a time.
 *
 * @param event every repeat of it has the same key, so Medusa sends the notification once
 * @param read what to send; undefined for nothing
 */
export function sendNotification(
  container: MedusaContainer,
  { name, event_id }: { name: string; event_id: string },
  read: () => Promise<CreateNotificationDTO | undefined>
): void {
  const send = async (idempotency_key: string): Promise<void> => {
    const notifications = container.resolve<INotificationModuleService | undefined>(Modules.NOTIFICATION, {
      allowUnregistered: true,
    })
    const notification = notifications && (await read())
    if (notification !== undefined) {
      await notifications?.createNotifications({ ...notification, idempotency_key })
    }
  }
  void send(event_id)
    .catch(async () => {
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS).unref())
      // With another key: Medusa 2.21.2 sends again what failed under a key, and then throws that it does not know it.
      await send(`${event_id}:again`)
    })
    .catch((error: unknown) => {
      warn(container, `crypto payments: a notification of ${name} was not sent`, error)
    })
}
