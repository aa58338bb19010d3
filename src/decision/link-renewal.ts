import { MONTH_MS, nextCheckAt } from "./retry-ladder"

/** A page that still waits for the link asks again every minute. After this time nobody waits. */
const ASKED_FOR_MS = 10 * 60_000

/** Times are the database's. */
export interface LinkRenewalFacts {
  database_now: Date
  /** When a shopper last asked for a link of what the order owes now. */
  link_asked_at: Date | null
  renewal_tried_at: Date | null
  /** When the first of the failed tries was. */
  renewal_failing_since: Date | null
}

export function isLinkAsked({ link_asked_at, database_now }: LinkRenewalFacts): boolean {
  return link_asked_at !== null && database_now.getTime() - link_asked_at.getTime() < ASKED_FOR_MS
}

/** From when the link may be replaced: by the retry ladder, since each try may create a request at the gateway. */
export function renewableFrom({
  renewal_tried_at: tried,
  renewal_failing_since: since,
}: LinkRenewalFacts): Date | null {
  return tried && (nextCheckAt(since ?? tried, tried) ?? new Date(tried.getTime() + MONTH_MS))
}

export function mayRenew(facts: LinkRenewalFacts): boolean {
  const from = renewableFrom(facts)
  return from === null || from.getTime() <= facts.database_now.getTime()
}
