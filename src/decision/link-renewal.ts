import { MONTH_MS, nextCheckAt } from "./retry-ladder"

/** A page that still waits for the link asks again every minute. After this time nobody waits. */
const ASKED_FOR_MS = 10 * 60_000

/** When a link was asked for, and since when it could not be replaced. Times are the database's. */
export interface LinkRenewalFacts {
  database_now: Date
  /** When a shopper last asked for a link of what the order owes now; null when nobody has. */
  link_asked_at: Date | null
  /** When a settle last tried to replace the link; null when none has. */
  renewal_tried_at: Date | null
  /** When a settle first tried to, of tries that all failed. */
  renewal_failing_since: Date | null
}

/** Whether a shopper waits for a link of what the order owes now. */
export function isLinkAsked({ link_asked_at, database_now }: LinkRenewalFacts): boolean {
  return link_asked_at !== null && database_now.getTime() - link_asked_at.getTime() < ASKED_FOR_MS
}

/**
 * From when the link may be replaced: by the retry ladder, since each try may create a request at the gateway. Null when
 * nobody has tried yet.
 */
export function renewableFrom({
  renewal_tried_at: tried,
  renewal_failing_since: since,
}: LinkRenewalFacts): Date | null {
  return tried && (nextCheckAt(since ?? tried, tried) ?? new Date(tried.getTime() + MONTH_MS))
}

/** Whether the last try to replace the link is long enough ago. */
export function mayRenew(facts: LinkRenewalFacts): boolean {
  const from = renewableFrom(facts)
  return from === null || from.getTime() <= facts.database_now.getTime()
}
