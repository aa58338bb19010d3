import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { AUDIT_RULE_NAMES } from "../../src/modules/crypto-payments/audit/rules"

/** A piece of code that keeps money right, how it is taken out, and the test that has to fail without it. */
export interface Guard {
  name: string
  /** Under `src`, the one that has `code`. */
  file: string
  code: string
  /** What replaces it while it is out. */
  without: string
  /** A spec of `integration-tests/http`, without `.spec.ts`. */
  spec: string
  /** The beginning of the name of a test or of a `describe`. */
  test: string
}

/** `test` begins with its spec. Without `without`, nothing replaces the code. */
type ListedGuard = [test: string, code: string, without?: string]

/** Each sweep, and a test in which nothing but the sweep can find the work. */
const SWEEPS: Record<string, [test: string, code: string]> = {
  announcements: [
    "announcements: is kept with the row when its process died before it was sent",
    "await ledger.announcements.sendLeft(MOST_A_TICK)",
  ],
  "placed orders": [
    "announcements: of an order that we completed and nobody heard of",
    "await announceOrders(container, ledger, logger)",
  ],
  "settled payments": [
    "swept: has a case, and nothing is placed anew",
    "await ledger.sweeps.makeLostOrdersDue()",
  ],
  "cases of changed orders": [
    "overpaid-order: closes the case by the schedule",
    "await ledger.sweeps.makeCasesDue()",
  ],
  "settled payments whose order was paid again": [
    "paid-another-way: is found among the newest payments, when its row is none of the newest",
    "await ledger.sweeps.makeNewlyBookedDue()",
  ],
  "forgotten rows": [
    "due-rows: that lost their next check are found by the schedule",
    "await ledger.sweeps.makeForgottenDue()",
  ],
  "orders that core began": [
    "ghost-orders: is taken back by the schedule when the money",
    "await ledger.unlinkedOrders.listCarts(MOST_ORDERS_TAKEN_BACK)",
  ],
  refunds: [
    "interrupted-refund: is booked by the schedule when it died before core's refund",
    "await finishRefunds(container, ledger)",
  ],
}

const CODE_GUARDS: Record<string, ListedGuard> = {
  "sweep: links of cancelled orders": [
    "order-first: has its link withdrawn by the next tick when it was cancelled",
    "if (link.is_given_up) {",
    'if (link.is_given_up && id === "") {',
  ],
  "sweep: links of orders paid another way": [
    "paid-another-way: has its link withdrawn by the next tick",
    "(await this.isPaidAnotherWay(id))",
    '(await this.isPaidAnotherWay(id)) && id === ""',
  ],
  "sweep: links of changed orders": [
    "overpaid-order: gives it without any event, by the schedule",
    "return await this.makeDue(outdated)",
    "return await this.makeDue(outdated.slice(outdated.length))",
  ],
  "a paid link is not let go (deletion veto)": [
    "cart-change: is refused once the link is paid",
    'throw notAllowed(\n      "This was paid in crypto',
    'notAllowed(\n      "This was paid in crypto',
  ],
  "a request pays one session, ever (claim)": [
    "checkout: never pays a second session",
    '.where((free) => free.whereNull("paid_session_id").orWhere({ paid_session_id: sessionId }))',
  ],
  "what was sent back pays for nothing (claim)": [
    "refund-without-order: binds no session to money that was sent back",
    '.whereNull("refund_registered_at")\n      .whereNot({ state: "refunded" })',
  ],
  "an order that core's workflow cancelled is found by its newest booking": [
    "swept: is told one tick after it was cancelled by core's workflow, when it is none of the newest",
    "WHERE COALESCE(reference, '') <> 'capture'",
    "WHERE COALESCE(reference, '') NOT IN ('capture', 'refund')",
  ],
  "a settle closes no link that was opened again meanwhile": [
    "fenced-writes: does not give up a link that its payer opens again meanwhile",
    "...(isAboutLink ? { session_id: decidedOn.session_id } : {})",
  ],
  "a batch writes no row that anybody has written since it was leased": [
    "fenced-writes: of a batch leaves alone what anybody has written since it was leased",
    " AND r.xmin::text = entry ->> 'version'",
  ],
  "an `order.placed` that the bus refuses is sent by the next tick": [
    "announcements: that the bus refuses is sent again one tick later",
    "      await ledger.announcements.giveUnannouncedOrderBack(order)\n",
  ],
  "a completion keeps its payment until core has ended, also for a browser that disconnects": [
    "completion-lease: holds the row until core has completed the cart, when the browser disconnects",
    "!res.writableEnded && waitedMs",
    "!res.closed && waitedMs",
  ],
  "a case of the gateway that was closed before the payment keeps no money from its cart": [
    "two-paid-links: pay it although a case of the gateway was closed before the payment",
    "AND (r.attention_resolved_at IS NULL OR COALESCE(r.attention_since, r.attention_resolved_at) < r.paid_at)",
    "AND r.attention_resolved_at IS NULL",
  ],
  "amount and currency are compared": [
    "paid-amount: captures nothing and asks for attention",
    "return isRequestedReceived(input) ? decidePaid(input)",
    "return isRequestedReceived(input) || row.paid_at !== null ? decidePaid(input)",
  ],
  "what another payment has paid is not captured": [
    "outstanding-amount: is a duplicate when the merchant",
    '  if (facts.paid_by_another) {\n    return { kind: "attention", reason: "duplicate_payment" }\n  }',
  ],
  "nothing is captured onto a cancelled order": [
    "order-first: never captures onto a cancelled order",
    "if (facts.order_canceled || isDeleted(facts)) {",
    "if (isDeleted(facts)) {",
  ],
  "the approval hash is verified": [
    "webhook: to a digest with one digit changed",
    "verifyApprovalHash(data, approvalHash, own) ? [providerId] : []",
    'own.length > 0 && data !== undefined && approvalHash !== "" ? [providerId] : []',
  ],
  "a notification counts only where the row's own key verifies it": [
    "two-keys: drop what the path's key verifies",
    "AND r.provider_id = ANY(:providerIds)",
    "AND (true OR r.provider_id = ANY(:providerIds))",
  ],
  "only what the gateway calls PAID is captured": [
    "checkout: answers an unpaid completion",
    '    if (decision.kind === "capture") {\n      if (!(await',
    '    if (decision.kind === "capture" || row.paid_at === null) {\n      if (sessionId === "" && !(await',
  ],
  "what the storefront sends as data is emptied": [
    "payment-session: ignores what the storefront sends",
    'delete body["data"]',
  ],
  "openings of the payment step queue": [
    "payment-session: leaves one live session and one link",
    "await untilAnswered(res, next)",
    "next()",
  ],
  "a paid link is not opened again": [
    "payment-session: refuses to open again",
    "refuseWhatIsPaid({ row }: CheckedRow): Promise<void> {\n    if (row.paid_at !== null) {",
    "refuseWhatIsPaid({ row, failure }: CheckedRow): Promise<void> {\n    if (row.paid_at !== null && failure !== null) {",
  ],
  "a link needs the payer's e-mail": [
    "payment-session: answers 400 to a cart without e-mail",
    'if (address === "") {',
    'if (address === "") {\n    return "nobody@example.test"\n  }\n  if (address.length < 0) {',
  ],
  "core's refund needs a registration": [
    "refund: answers 400 to core's refund and cancel",
    "(await this.ledger.refunds.admit(row.id, toTwoDecimals(input.amount), refundId))",
    "refundId.length > 0",
  ],
  "no more is refunded than was paid": [
    "refund: answers 400 when a reference is used",
    "if (MathBN.gt(input.amount, left)) {",
    "if (MathBN.gt(input.amount, MathBN.add(left, 1_000_000))) {",
  ],
  "an order is not cancelled while its crypto is not sent back": [
    "refund: answers 400 to core's refund and cancel",
    'if (await ledger.orderLinks.refuseWhilePaid(orderId, "cancel")) {',
    "if (ledger !== null) {",
  ],
  "a draft order is not deleted while its crypto is not sent back": [
    "deleted-draft-order: answers 400 to an admin who deletes it",
    'await ledger.orderLinks.refuseWhilePaid(req.params["id"] ?? "", "delete")',
    "await Promise.resolve(ledger)",
  ],
  "a refunded cart becomes no order (completion guard)": [
    "refund-without-order: never lets its cart become an order",
    "\n  if (bar !== null) {",
    "\n  if (bar === undefined) {",
  ],
  "and not behind the guard either (session asks again)": [
    "refund-without-order: nor when the shopper was past the guard",
    "UPDATE payment_session s SET authorized_at = NULL",
    "UPDATE payment_session s SET authorized_at = s.authorized_at",
  ],
  "a case an admin user has closed becomes no order by itself": [
    "refused-order: becomes no order by itself",
    " && !isOnlyOnRequest(input)",
  ],
  "settled only once core lets the cart go": [
    "taken-back-order: is not taken as placed",
    'if (decision.kind === "done" && facts.cart_id !== null && done.verify === undefined) {',
    'if (decision.kind === "done" && facts.cart_id === "" && done.verify === undefined) {',
  ],
  "one settle at a time (lease)": [
    "settle-once: when four settles of its row begin at the same time",
    "WHERE r.id = ? AND ${IS_FREE} RETURNING *`,",
    "WHERE r.id = ? RETURNING *`,",
  ],
  "a due row that another settle holds is left to it": [
    "due-rows: that an instance holds are left to it",
    "AND ${IS_FREE} AND r.deleted_at IS NULL\n          ORDER BY",
    "AND r.deleted_at IS NULL\n          ORDER BY",
  ],
  "a capture core was killed before booking is booked": [
    "crash: ends with one order and one booking",
    "(done.verify === undefined && isCaptureInterrupted(row, facts))",
    "(done.verify === undefined && !isCaptureInterrupted(row, facts) && false)",
  ],
  "a collection amount left by a vetoed edit is restored": [
    "cart-change: is refused once the link is paid",
    "await restoreCollection(settling)\n    await dropLostOrder(",
    "await dropLostOrder(",
  ],
  "a core that hangs is given up": [
    "hanging-core: over one payment",
    "const CORE_MS = 45_000",
    "const CORE_MS = 45_000_000",
  ],
  "an unreadable gateway refuses to cancel an order": [
    "order-first: gets 400 while the gateway cannot be asked",
    'failure !== null && !isOver && row.state === "open"',
    'failure !== null && !isOver && row.state === "closed"',
  ],
  "a gateway that nobody could ask has not answered that it does not know the link": [
    "not-configured-link: cannot be cancelled while its link may be paid",
    "new GatewayRejected(404, null, false)",
    "new GatewayRejected(404, null)",
  ],
  "a firewall's answer is no refusal of the gateway": [
    "payment-session: and a firewall answers for it, however long, no second link is made",
    "(isInEnvelope || REFUSES_IN_ANY_FORM.includes(httpStatus))",
    "(isInEnvelope || REFUSES_IN_ANY_FORM.includes(httpStatus) || httpStatus === 403)",
  ],
  "only the gateway's own word that it does not know the link lets an unread order expire": [
    "unread-link: does not show stays, however long",
    "const isGone = isUnknown && isUnpaid && isForAnHour",
    "const isGone = isRefused && isUnpaid && isForAnHour",
  ],
  "an hour in which the gateway refused is no hour in which it does not know the link": [
    "unread-link: refuses for two hours and then does not know once is kept",
    "        [failure]\n",
    '        [failure === "unknown_to_gateway" ? "refused" : failure]\n',
  ],
  "each link of an unpaid order has its own hour in which the gateway does not know it": [
    "order-first-expiry: is kept until the gateway has not known another of its links for an hour",
    "if (link.id !== row.id && isOver(link, facts.database_now)) {",
    "if (link.id !== row.id && (failure !== null || isOver(link, facts.database_now))) {",
  ],
  "an hour in which the gateway refused is no hour without a provider": [
    "missing-provider: is no case at once after an hour in which its gateway refused",
    "        [failure]\n",
    '        [failure === "provider_missing" ? "refused" : failure]\n',
  ],
  "money of another amount than was asked for is bound to no later session": [
    "paid-amount: pays no later session of the cart when",
    " AND r.deleted_at IS NULL AND ${IS_PAID_EXACTLY})`",
    " AND r.deleted_at IS NULL AND (${IS_PAID_EXACTLY} OR r.paid_at IS NOT NULL))`",
  ],
  "a gateway that refuses or has no provider is one case": [
    "missing-provider: is one case while its gateway refuses in between",
    "return isOfBeforePayment(row) || !isOfUnreadGateway(reason)",
    "return isOfBeforePayment(row) || open !== reason",
  ],
  "a refund nobody made is not money sent back": [
    "refund-after-crash: does not take the payment for sent back",
    " AND ${IS_REFUND_MADE})`",
    ")`",
  ],
  "a refund core was killed over is taken back before another is booked": [
    "refund-after-crash: is undone, and a registered one",
    "if (interrupted.length > 0) {",
    "if (interrupted.length < 0) {",
  ],
  "a display field is made storable": [
    "tolerant-reading: ref_id is 20 kB that cannot be compressed",
    "const value = storable(text, limit)",
    "const value = limit > 0 ? text : storable(text, limit)",
  ],
  "another kind of failure begins anew": [
    "lagging-gateway: is not said to refuse when one refusal follows",
    '"CASE WHEN failure = ? THEN COALESCE(failing_since, now()) ELSE now() END"',
    '"CASE WHEN ?::text IS NULL THEN now() ELSE COALESCE(failing_since, now()) END"',
  ],
  "a notification whose news the read does not show is asked again within seconds": [
    "lagging-gateway: by two reads costs the payer",
    "nextCheckAt: quick ?? awaited }",
    "nextCheckAt: awaited }",
  ],
  "a capture that is booked twice is taken back once": [
    "surplus-bookings: are found and reduced by the schedule",
    "return isBookedWrongly(facts) || (",
    "return (",
  ],
  "the sums of an order are corrected when core has left a booking out of them": [
    "surplus-bookings: are in the order's sums again",
    "\n      OR books.are_wrong",
  ],
  "a settle that the database broke gives its row back once it answers": [
    "fenced-writes: gives the row back when the database has refused it that again and again, and settles it after that",
    "await ledger.queue.releaseNow(lease)",
    "await Promise.resolve(lease)",
  ],
  "a payment whose settles fail again and again is told": [
    "failing-settle: has a case after ten",
    "isUntold && unended >= (isLate",
    "isUntold && unended < 0 - (isLate",
  ],
  "an order that was placed is never taken back, though it lost its cart": [
    "ghost-orders: is not removed by the schedule either",
    "WHERE q.cart_id = c.id AND q.order_id = o.id",
    "WHERE q.cart_id = c.id AND q.order_id = ''",
  ],
  "the order that was placed gets its cart back, and no second one is placed": [
    "ghost-orders: gets its cart back when the payment is checked",
    "if (placed !== undefined) {",
    "if (placed !== undefined && cartId === '') {",
  ],
  "the audit judges a payment that is due all the time because its settles fail": [
    "failing-settle: is a finding of the audit after an hour",
    "OR COALESCE(r.paid_at <= now() - interval '1 hour' AND (r.settled_at IS NULL OR r.settles_begun > ${String(MOST_UNENDED_LATE)}), false))",
    "OR false)",
  ],
  "the timeline is told in the order in which it was written": [
    "fenced-writes: is told in the order in which it was written",
    "ORDER BY a.position`",
    "ORDER BY a.created_at, a.id`",
  ],
  "an order that is captured too much is a case": [
    "overpaid-order: is overpaid when the old link was paid",
    'return isTooMuch && (!isJudged || attention_reason === "order_overpaid")',
    'return isTooMuch && isJudged && attention_reason === "order_overpaid"',
  ],
  "a link that asks for more than is owed is replaced": [
    "overpaid-order: gives it without any event, by the schedule",
    'return status !== "PENDING" && isOutdated',
    'return status === "PENDING" && isOutdated',
  ],
  "a link that cannot be replaced is tried again by the retry ladder": [
    "changed-order-link: causes fewer and fewer creations while the gateway refuses",
    "(input.isAskedByPerson || mayRenew)",
    '(input.isAskedByPerson || mayRenew || decision.kind === "renew")',
  ],
  "items whose return is requested are not owed": [
    "order-balance: is nothing once",
    "'return_requested_quantity', oi.return_requested_quantity::text,",
    "'return_requested_quantity', '0',",
  ],
  "the rest of an underpaid order gets a collection": [
    "underpaid-order: is a case that says how much is owed",
    'if (decision.kind === "done" && done.align === undefined &&',
    'if (decision.kind === "done" && done.align !== undefined &&',
  ],
  "a deposit that covers its own collection is no case": [
    "underpaid-order: is no case when a deposit covers its own collection",
    "const isWhole = !coversCollection || (!is_deposit && settled_at === null)",
    "const isWhole = !coversCollection || (is_deposit && settled_at === null)",
  ],
  "money whose session is gone pays the cart that waits for it": [
    "corrected-email: is paid with the first link",
    'return isAdoptable ? { kind: "adopt" }',
    'return isAdoptable && medusa.hasCart && paidByAnother ? { kind: "adopt" }',
  ],
  "a payment keeps the order whose collection was deleted": [
    "deleted-collection: and whose link is paid: the payment is booked on the order",
    "COALESCE(${ORDER_OF_COLLECTION}, r.order_id)",
    "COALESCE(${ORDER_OF_COLLECTION}, NULL)",
  ],
  "what an imported order brought as paid counts": [
    "unusual-stores: with an order that was imported with its payments under",
    "AND NOT COALESCE(${BOOKS_A_PAYMENT}, false))`",
    "AND COALESCE(other.reference, '') NOT IN ('capture', 'refund'))`",
  ],
  "a paid cart becomes its order whatever its region offers now": [
    "region-change: becomes the order when it is paid",
    'asked.entity === "region" && asked.fields.includes("payment_providers.id")',
    'asked.entity === "region" && asked.fields.includes("no such field")',
  ],
  "a transfer request keeps no unpaid order from expiring": [
    "unpaid-order-expiry: is cancelled, and the request is declined",
    "await setTransfersAside(container, orderId)",
    "await setTransfersAside(container, `not ${orderId}`)",
  ],
  "a provider that is gone has not lost the link": [
    "missing-provider: is never closed for not being known",
    "return { failure: reason }",
    'return { failure: "unknown_to_gateway" }',
  ],
  "a link whose attempt has ended is not given again": [
    "ended-attempt: as",
    "checked.failure !== null || isEndWord(checked.row)",
    "checked.failure !== null && isEndWord(checked.row)",
  ],
  "an unknown word that is no end means that a payment is under way": [
    "ended-attempt: that is no end",
    'return UNPAID_WORD.test(word) ? "UNPAID" : "PENDING"',
    'return UNPAID_WORD.test(word) ? "UNPAID" : word === "PENDING" ? word : "UNKNOWN"',
  ],
  "what core has lowered for a cancelled change is no deposit": [
    "canceled-change-link: asks for all that is owed when its first link is made after a cancelled return",
    "WHERE changed.at > pc.created_at",
    "WHERE false",
  ],
  "the last refund takes what is left in core's books": [
    "fractional-refund: has nothing left in its books",
    "return amountsEqual(left, amount) ? left.toFixed() : amount",
    'return amountsEqual(left, amount) && left.toFixed() === "" ? left.toFixed() : amount',
  ],
  "two links of an order are captured one after the other": [
    "two-links-at-once: and both decide before either is captured",
    "`crypto:capture:${facts.order_id}`",
    "`crypto:capture:${id}`",
  ],
  "an id at another address is another payment's unless its note is ours": [
    "moved-gateway: never settles another payment of the same id",
    "if (!isSamePayment(row, record))",
    'if (!isSamePayment(row, record) && row.id === "")',
  ],
  "a listed payment is known wherever its row was made": [
    "moved-gateway: adds no second row when the account has another name",
    "AND (${HAS_ITS_NOTE}\n          OR r.gateway_account = :account",
    "AND (false\n          OR r.gateway_account = :account",
  ],
}

const SRC = path.resolve(__dirname, "../../src")
const SOURCES = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => /(?<!\.spec)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(SRC, file), "utf8") }))

/** In how many places of the sources it is. */
export const countPlaces = (code: string): number =>
  SOURCES.reduce((places, { text }) => places + text.split(code).length - 1, 0)

const LISTED: (readonly [name: string, ...ListedGuard])[] = [
  ...Object.entries(CODE_GUARDS).map(([name, guard]) => [name, ...guard] as const),
  // A process that is not stopping leaves it out.
  ...Object.entries(SWEEPS).map(
    ([name, [test, code]]) =>
      [`sweep: ${name}`, test, code, `ledger.runningSettles.isStopping ? ${code} : []`] as const
  ),
  // Each rule of the audit, left out of the list of rules.
  ...AUDIT_RULE_NAMES.map(
    (name) =>
      [
        `audit: ${name}`,
        "audit: finds each planted damage, and nothing else",
        "Object.entries(RULES)",
        `Object.entries(RULES).filter(([name]) => name !== "${name}")`,
      ] as const
  ),
]

export const GUARDS: Guard[] = LISTED.map(([name, listed, code, without = ""]) => {
  const [spec = "", test = ""] = listed.split(/: (.*)/)
  return {
    name,
    file: SOURCES.find(({ text }) => text.includes(code))?.file ?? "",
    code,
    without,
    spec,
    test,
  }
})
