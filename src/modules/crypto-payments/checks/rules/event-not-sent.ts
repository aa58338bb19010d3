import { REQUESTS_WHERE, type Rule } from "../rule"

/** The schedule sends events that have waited for thirty seconds (`Announcements.sendLeft`). */
export const event_not_sent: Rule = {
  invariant: "I6",
  message: "An event of the payment is recorded, but was not sent.",
  sql: REQUESTS_WHERE("r.announce_at < now() - interval '5 minutes'"),
}
