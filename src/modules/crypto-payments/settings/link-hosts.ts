import { isAcceptablePaymentLink, linkHost } from "../../../gateway"
import type { SettingsWarning } from "../../../http-contract"
import type { EffectiveSettings } from "./effective-settings"
import type { SettingsStore } from "./settings-store"
import { originOf } from "./stored-settings"

/**
 * Hosts that the gateway's last payment links point to and that these settings do not allow.
 *
 * @returns none while any host is allowed, or no link was made at the gateway address in force
 */
export async function findHostsNotAllowed(
  store: Pick<SettingsStore, "readLastLinks">,
  { registration, fields }: Pick<EffectiveSettings, "registration" | "fields">
): Promise<string[]> {
  const allowed = fields.paymentLinkHosts.value
  const origin = originOf(fields.baseUrl.value)
  if (allowed === null || origin === null) {
    return []
  }
  const links = await store.readLastLinks(registration.providerId, origin)
  const refused = links.filter((link) => !isAcceptablePaymentLink(link, allowed))
  return [...new Set(refused.flatMap((link) => linkHost(link) ?? []))]
}

/** The same for a form that is saved or tested. */
export async function warnOfLinkHosts(
  ...asked: Parameters<typeof findHostsNotAllowed>
): Promise<SettingsWarning[]> {
  const hosts = await findHostsNotAllowed(...asked)
  return hosts.length === 0
    ? []
    : [
        {
          code: "link_hosts_not_allowed",
          message: `The gateway's last payment links point to ${hosts.join(", ")}, which payment_link_hosts does not list. A shopper who gets such a link cannot pay.`,
          fields: ["payment_link_hosts"],
          hosts,
        },
      ]
}
