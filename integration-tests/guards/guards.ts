import { AUDIT_RULE_NAMES } from "../../src/modules/crypto-payments/audit/rules"

/** A piece of code that keeps money right, how it is taken out, and the test that has to fail without it. */
export interface Guard {
  name: string
  /** Under `src`; `code` is there exactly once. */
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
type ListedGuard = Pick<Guard, "name" | "file" | "code" | "test"> & { without?: string }

const PROVIDER = "providers/crypto/service.ts"
const DECISION = "decision/decide.ts"
const TURN = "decision/decide-turn.ts"
const SETTLEMENTS = "modules/crypto-payments/payment-requests/store.ts"
const REFUNDS = "modules/crypto-payments/refunds/refund-store.ts"
const LINKS = "modules/crypto-payments/payment-requests/issue-payment-link.ts"

/** Each sweep, and a test in which nothing but the sweep can find the work. */
const SWEEP_GUARDS: ListedGuard[] = (
  [
    [
      "announcements",
      "await ledger.announcements.sendLeft(MOST_A_TICK)",
      "announcements: is kept with the row when its process died before it was sent",
    ],
    [
      "placed orders",
      "await announceOrders(container, ledger, logger)",
      "announcements: of an order that we completed and nobody heard of",
    ],
    [
      "settled payments",
      "await ledger.sweeps.makeLostOrdersDue()",
      "swept: has a case, and nothing is placed anew",
    ],
    [
      "links of cancelled orders",
      "await ledger.sweeps.listLinksOfCanceledOrders()",
      "order-first: has its link withdrawn by the next tick when it was cancelled",
    ],
    [
      "links of orders paid another way",
      "await ledger.orderLinks.withdrawThoseOfPaidOrders()",
      "paid-another-way: has its link withdrawn by the next tick",
    ],
    [
      "links of changed orders",
      "await ledger.changedOrders.makeLinksDue()",
      "overpaid-order: gives it without any event, by the schedule",
    ],
    [
      "cases of changed orders",
      "await ledger.changedOrders.makeCasesDue()",
      "overpaid-order: closes the case by the schedule",
    ],
    [
      "settled payments whose order was paid again",
      "await ledger.sweeps.makeNewlyBookedDue()",
      "paid-another-way: is found among the newest payments, when its row is none of the newest",
    ],
    [
      "forgotten rows",
      "await ledger.sweeps.makeForgottenDue()",
      "due-rows: that lost their next check are found by the schedule",
    ],
    [
      "orders that core began",
      "await ledger.unlinkedOrders.listCarts(MOST_ORDERS_TAKEN_BACK)",
      "ghost-orders: is taken back by the schedule when the money",
    ],
    [
      "refunds",
      "await finishRefunds(container, ledger)",
      "interrupted-refund: is booked by the schedule when it died before core's refund",
    ],
  ] as const
).map(([name, code, test]) => ({
  name: `sweep: ${name}`,
  file: "workflows/sweep.ts",
  code,
  // A process that is not stopping leaves it out.
  without: `ledger.runningSettles.isStopping ? ${code} : []`,
  test,
}))

const CODE_GUARDS: ListedGuard[] = [
  {
    name: "a paid link is not let go (deletion veto)",
    file: PROVIDER,
    code: 'throw notAllowed(\n      "This was paid in crypto',
    without: 'notAllowed(\n      "This was paid in crypto',
    test: "cart-change: is refused once the link is paid",
  },
  {
    name: "a request pays one session, ever (claim)",
    file: SETTLEMENTS,
    code: '.where((free) => free.whereNull("paid_session_id").orWhere({ paid_session_id: sessionId }))',
    test: "checkout: never pays a second session",
  },
  {
    name: "what was sent back pays for nothing (claim)",
    file: SETTLEMENTS,
    code: '.whereNull("refund_registered_at")\n      .whereNot({ state: "refunded" })',
    test: "refund-without-order: binds no session to money that was sent back",
  },
  {
    name: "an order that core's workflow cancelled is found by its newest booking",
    file: "modules/crypto-payments/payment-requests/sweeps.ts",
    code: "WHERE COALESCE(reference, '') <> 'capture'",
    without: "WHERE COALESCE(reference, '') NOT IN ('capture', 'refund')",
    test: "swept: is told one tick after it was cancelled by core's workflow, when it is none of the newest",
  },
  {
    name: "a settle closes no link that was opened again meanwhile",
    file: SETTLEMENTS,
    code: "...(isAboutLink ? { session_id: decidedOn.session_id } : {})",
    test: "fenced-writes: does not give up a link that its payer opens again meanwhile",
  },
  {
    name: "a batch writes no row that anybody has written since it was leased",
    file: SETTLEMENTS,
    code: " AND r.xmin::text = entry ->> 'version'",
    test: "fenced-writes: of a batch leaves alone what anybody has written since it was leased",
  },
  {
    name: "an `order.placed` that the bus refuses is sent by the next tick",
    file: "workflows/sweep.ts",
    code: "      await ledger.sweeps.giveUnannouncedOrderBack(order)\n",
    test: "announcements: that the bus refuses is sent again one tick later",
  },
  {
    name: "a completion keeps its payment until core has ended, also for a browser that disconnects",
    file: "api/middlewares/guard-cart-completion.ts",
    code: "!res.writableEnded && waitedMs",
    without: "!res.closed && waitedMs",
    test: "completion-lease: holds the row until core has completed the cart, when the browser disconnects",
  },
  {
    name: "a case of the gateway that was closed before the payment keeps no money from its cart",
    file: "modules/crypto-payments/payment-requests/request-sql.ts",
    code: "AND (r.attention_resolved_at IS NULL OR r.attention_resolved_at < r.paid_at)",
    without: "AND r.attention_resolved_at IS NULL",
    test: "two-paid-links: pay it although a case of the gateway was closed before the payment",
  },
  {
    name: "amount and currency are compared",
    file: DECISION,
    code: "if (!isEqual(reading, ledger, medusa)) {",
    without: "if (!isEqual(reading, ledger, medusa) && input.now === undefined) {",
    test: "paid-amount: captures nothing and asks for attention",
  },
  {
    name: "what another payment has paid is not captured",
    file: DECISION,
    code: '  if (paidByAnother) {\n    return { kind: "attention", reason: "duplicate_payment" }\n  }',
    test: "outstanding-amount: is a duplicate when the merchant",
  },
  {
    name: "nothing is captured onto a cancelled order",
    file: DECISION,
    code: "const isOrderGone = order?.canceled === true || isDeleted(medusa)",
    without: "const isOrderGone = isDeleted(medusa)",
    test: "order-first: never captures onto a cancelled order",
  },
  {
    name: "the approval hash is verified",
    file: "api/middlewares/receive-notification.ts",
    code: "verifyApprovalHash(data, approvalHash, own) ? [providerId] : []",
    without: 'own.length > 0 && data !== undefined && approvalHash !== "" ? [providerId] : []',
    test: "webhook: to a digest with one digit changed",
  },
  {
    name: "a notification counts only where the row's own key verifies it",
    file: "modules/crypto-payments/payment-requests/queue.ts",
    code: "AND r.provider_id = ANY(:providerIds)",
    without: "AND (true OR r.provider_id = ANY(:providerIds))",
    test: "two-keys: drop what the path's key verifies",
  },
  {
    name: "only what the gateway calls PAID is captured",
    file: PROVIDER,
    code: '    if (decision.kind === "capture") {\n      if (!(await',
    without:
      '    if (decision.kind === "capture" || row.paid_at === null) {\n      if (sessionId === "" && !(await',
    test: "checkout: answers an unpaid completion",
  },
  {
    name: "what the storefront sends as data is emptied",
    file: "api/middlewares/guard-session-creation.ts",
    code: 'delete body["data"]',
    test: "payment-session: ignores what the storefront sends",
  },
  {
    name: "openings of the payment step queue",
    file: "api/middlewares/guard-session-creation.ts",
    code: "await untilAnswered(res, next)",
    without: "next()",
    test: "payment-session: leaves one live session and one link",
  },
  {
    name: "a paid link is not opened again",
    file: LINKS,
    code: "refuseWhatIsPaid({ row }: CheckedRow): Promise<void> {\n    if (row.paid_at !== null) {",
    without:
      "refuseWhatIsPaid({ row, failure }: CheckedRow): Promise<void> {\n    if (row.paid_at !== null && failure !== null) {",
    test: "payment-session: refuses to open again",
  },
  {
    name: "a link needs the payer's e-mail",
    file: "modules/crypto-payments/payment-requests/refuse-unpayable.ts",
    code: 'if (address === "") {',
    without: 'if (address === "") {\n    return "nobody@example.test"\n  }\n  if (address.length < 0) {',
    test: "payment-session: answers 400 to a cart without e-mail",
  },
  {
    name: "core's refund needs a registration",
    file: PROVIDER,
    code: "(await this.ledger.refunds.admit(row.id, toTwoDecimals(input.amount), refundId))",
    without: "refundId.length > 0",
    test: "refund: answers 400 to an admin's refund",
  },
  {
    name: "no more is refunded than was paid",
    file: REFUNDS,
    code: "if (MathBN.gt(input.amount, left)) {",
    without: "if (MathBN.gt(input.amount, MathBN.add(left, 1_000_000))) {",
    test: "refund: answers 400 when the second refund",
  },
  {
    name: "an order is not cancelled while its crypto is not sent back",
    file: "api/middlewares/guard-paid-orders.ts",
    code: 'if (await ledger.orderLinks.refuseWhilePaid(orderId, "cancel")) {',
    without: "if (ledger !== null) {",
    test: "refund: answers 400 to an admin's cancel",
  },
  {
    name: "a draft order is not deleted while its crypto is not sent back",
    file: "api/middlewares/guard-paid-orders.ts",
    code: 'await ledger.orderLinks.refuseWhilePaid(req.params["id"] ?? "", "delete")',
    without: "await Promise.resolve(ledger)",
    test: "deleted-draft-order: answers 400 to an admin who deletes it",
  },
  {
    name: "a refunded cart becomes no order (completion guard)",
    file: "api/middlewares/guard-cart-completion.ts",
    code: "if (bar !== null) {",
    without: "if (bar === undefined) {",
    test: "refund-without-order: never lets its cart become an order",
  },
  {
    name: "and not behind the guard either (session asks again)",
    file: REFUNDS,
    code: "UPDATE payment_session s SET authorized_at = NULL",
    without: "UPDATE payment_session s SET authorized_at = s.authorized_at",
    test: "refund-without-order: nor when the shopper was past the guard",
  },
  {
    name: "a case an admin user has closed becomes no order by itself",
    file: TURN,
    code: " && !isLeftToPerson(input)",
    test: "refused-order: becomes no order by itself",
  },
  {
    name: "settled only once core lets the cart go",
    file: TURN,
    code: 'if (decision.kind === "done" && facts.cart_id !== null && done.verified === undefined) {',
    without: 'if (decision.kind === "done" && facts.cart_id === "" && done.verified === undefined) {',
    test: "taken-back-order: is not taken as placed",
  },
  {
    name: "one settle at a time (lease)",
    file: "modules/crypto-payments/payment-requests/queue.ts",
    code: "WHERE r.id = ? AND ${IS_FREE} RETURNING *`,",
    without: "WHERE r.id = ? RETURNING *`,",
    test: "settle-once: when four settles of its row begin at the same time",
  },
  {
    name: "a due row that another settle holds is left to it",
    file: "modules/crypto-payments/payment-requests/queue.ts",
    code: "AND ${IS_FREE} AND r.deleted_at IS NULL\n          ORDER BY",
    without: "AND r.deleted_at IS NULL\n          ORDER BY",
    test: "due-rows: that an instance holds are left to it",
  },
  {
    name: "a capture core was killed before booking is booked",
    file: TURN,
    code: "(done.verified === undefined && isCaptureInterrupted(row, facts))",
    without: "(done.verified === undefined && !isCaptureInterrupted(row, facts) && false)",
    test: "crash: ends with one order and one booking",
  },
  {
    name: "a collection amount left by a vetoed edit is restored",
    file: "workflows/core/capture-in-core.ts",
    code: "    await restoreCollection(container, row, facts)",
    test: "cart-change: is refused once the link is paid",
  },
  {
    name: "a core that hangs is given up",
    file: "workflows/core/capture-in-core.ts",
    code: "const CORE_MS = 45_000",
    without: "const CORE_MS = 45_000_000",
    test: "hanging-core: over one payment",
  },
  {
    name: "an unreadable gateway refuses to cancel an order",
    file: "modules/crypto-payments/payment-requests/order-links.ts",
    code: 'failure !== null && !isOver && row.state === "open"',
    without: 'failure !== null && !isOver && row.state === "closed"',
    test: "order-first: gets 400 while the gateway cannot be asked",
  },
  {
    name: "a gateway that nobody could ask has not answered that it does not know the link",
    file: "modules/crypto-payments/gateway-clients.ts",
    code: "new GatewayRejected(404, null, false)",
    without: "new GatewayRejected(404, null)",
    test: "not-configured-link: cannot be cancelled while its link may be paid",
  },
  {
    name: "a firewall's answer is no refusal of the gateway",
    file: "gateway/envelope.ts",
    code: "(isInEnvelope || REFUSES_IN_ANY_FORM.includes(httpStatus))",
    without: "(isInEnvelope || REFUSES_IN_ANY_FORM.includes(httpStatus) || httpStatus === 403)",
    test: "payment-session: and a firewall answers for it, however long, no second link is made",
  },
  {
    name: "only the gateway's own word that it does not know the link lets an unread order expire",
    file: DECISION,
    code: "const isGone = isUnknown && isUnpaid && isForAnHour",
    without: "const isGone = isRefused && isUnpaid && isForAnHour",
    test: "unread-link: does not show stays, however long",
  },
  {
    name: "an hour in which the gateway refused is no hour in which it does not know the link",
    file: SETTLEMENTS,
    code: "        [failure]\n",
    without: '        [failure === "unknown_to_gateway" ? "refused" : failure]\n',
    test: "unread-link: refuses for two hours and then does not know once is kept",
  },
  {
    name: "each link of an unpaid order has its own hour in which the gateway does not know it",
    file: "workflows/core/cancel-unpaid-order.ts",
    code: "if (link.id !== row.id && isOver(link, facts.database_now)) {",
    without: "if (link.id !== row.id && (failure !== null || isOver(link, facts.database_now))) {",
    test: "order-first-expiry: is kept until the gateway has not known another of its links for an hour",
  },
  {
    name: "an hour in which the gateway refused is no hour without a provider",
    file: SETTLEMENTS,
    code: "        [failure]\n",
    without: '        [failure === "provider_missing" ? "refused" : failure]\n',
    test: "missing-provider: is no case at once after an hour in which its gateway refused",
  },
  {
    name: "money of another amount than was asked for is bound to no later session",
    file: "modules/crypto-payments/payment-requests/request-sql.ts",
    code: " AND r.deleted_at IS NULL AND ${IS_PAID_EXACTLY})`",
    without: " AND r.deleted_at IS NULL AND (${IS_PAID_EXACTLY} OR r.paid_at IS NOT NULL))`",
    test: "paid-amount: pays no later session of the cart when",
  },
  {
    name: "a gateway that refuses or has no provider is one case",
    file: "modules/crypto-payments/payment-requests/attention-case.ts",
    code: "return isOfBeforePayment(row) || !isOfUnreadGateway(reason)",
    without: "return isOfBeforePayment(row) || open !== reason",
    test: "missing-provider: is one case while its gateway refuses in between",
  },
  {
    name: "a refund nobody made is not money sent back",
    file: "modules/crypto-payments/payment-requests/core-facts.ts",
    code: " AND ${IS_REFUND_MADE}) AS refunded",
    without: ") AS refunded",
    test: "refund-after-crash: does not take the payment for sent back",
  },
  {
    name: "a refund core was killed over is taken back before another is booked",
    file: "workflows/core/interrupted.ts",
    code: "if (interrupted.length > 0) {",
    without: "if (interrupted.length < 0) {",
    test: "refund-after-crash: is undone, and a registered one",
  },
  {
    name: "a display field is made storable",
    file: "gateway/display-fields.ts",
    code: "const value = storable(text, limit)",
    without: "const value = limit > 0 ? text : storable(text, limit)",
    test: "tolerant-reading: ref_id is 20 kB that cannot be compressed",
  },
  {
    name: "another kind of failure begins anew",
    file: SETTLEMENTS,
    code: '"CASE WHEN failure = ? THEN COALESCE(failing_since, now()) ELSE now() END"',
    without: '"CASE WHEN ?::text IS NULL THEN now() ELSE COALESCE(failing_since, now()) END"',
    test: "lagging-gateway: is not said to refuse when one refusal follows",
  },
  {
    name: "a notification whose news the read does not show is asked again within seconds",
    file: "decision/outcome.ts",
    code: "nextCheckAt: quickCheckAt(row, now) ?? awaited",
    without: "nextCheckAt: awaited",
    test: "lagging-gateway: by two reads costs the payer",
  },
  {
    name: "a capture that is booked twice is taken back once",
    file: TURN,
    code: "return isBookedWrongly(facts) || (",
    without: "return (",
    test: "surplus-bookings: are found and reduced by the schedule",
  },
  {
    name: "the sums of an order are corrected when core has left a booking out of them",
    file: "modules/crypto-payments/payment-requests/sweeps.ts",
    code: '\n      OR EXISTS (SELECT 1 FROM ${WRONG_SUMS("placed.id")})',
    without: "",
    test: "order-first: has its payment in the sums of an order whose change was confirmed while it was booked",
  },
  {
    name: "a settle that the database broke gives its row back once it answers",
    file: "workflows/settle.ts",
    code: "await ledger.queue.releaseNow(lease)",
    without: "await Promise.resolve(lease)",
    test: "fenced-writes: gives the row back when the database has refused it that again and again, and settles it after that",
  },
  {
    name: "a payment whose settles fail again and again is told",
    file: "decision/attention.ts",
    code: "isUntold && unended >= (isLate",
    without: "isUntold && unended < 0 - (isLate",
    test: "failing-settle: has a case after ten",
  },
  {
    name: "an order that was placed is never taken back, though it lost its cart",
    file: "modules/crypto-payments/payment-requests/unlinked-orders.ts",
    code: "WHERE q.cart_id = c.id AND q.order_id = o.id",
    without: "WHERE q.cart_id = c.id AND q.order_id = ''",
    test: "ghost-orders: is not removed by the schedule either",
  },
  {
    name: "the order that was placed gets its cart back, and no second one is placed",
    file: "workflows/core/clear-unlinked-orders.ts",
    code: "if (placed !== undefined) {",
    without: "if (placed !== undefined && cartId === '') {",
    test: "ghost-orders: gets its cart back when the payment is checked",
  },
  {
    name: "the audit judges a payment that is due all the time because its settles fail",
    file: "modules/crypto-payments/audit/audit-sql.ts",
    code: "OR COALESCE(r.paid_at <= now() - interval '1 hour' AND (r.settled_at IS NULL OR r.settles_begun > ${String(MOST_UNENDED_LATE)}), false))",
    without: "OR false)",
    test: "failing-settle: is a finding of the audit after an hour",
  },
  {
    name: "the timeline is told in the order in which it was written",
    file: "modules/crypto-payments/reports/search.ts",
    code: "ORDER BY a.position`",
    without: "ORDER BY a.created_at, a.id`",
    test: "fenced-writes: is told in the order in which it was written",
  },
  {
    name: "an order that is captured too much is a case",
    file: DECISION,
    code: 'return isTooMuch && (!isJudged || attention === "order_overpaid")',
    without: 'return isTooMuch && isJudged && attention === "order_overpaid"',
    test: "overpaid-order: is overpaid when the old link was paid",
  },
  {
    name: "a link that asks for more than is owed is replaced",
    file: DECISION,
    code: 'reading.status !== "PENDING" && isOutdated',
    without: 'reading.status === "PENDING" && isOutdated',
    test: "overpaid-order: gives it without any event, by the schedule",
  },
  {
    name: "a link that cannot be replaced is tried again by the retry ladder",
    file: TURN,
    code: "(input.isAskedByPerson || mayRenew(facts))",
    without: '(input.isAskedByPerson || mayRenew(facts) || decision.kind === "renew")',
    test: "changed-order-link: causes fewer and fewer creations while the gateway refuses",
  },
  {
    name: "items whose return is requested are not owed",
    file: "modules/crypto-payments/payment-requests/order-balance.ts",
    code: "'return_requested_quantity', oi.return_requested_quantity::text,",
    without: "'return_requested_quantity', '0',",
    test: "order-balance: is nothing once",
  },
  {
    name: "the rest of an underpaid order gets a collection",
    file: TURN,
    code: 'if (decision.kind === "done" && !done.isAligned &&',
    without: 'if (decision.kind === "done" && done.isAligned &&',
    test: "underpaid-order: is a case that says how much is owed",
  },
  {
    name: "a deposit that covers its own collection is no case",
    file: DECISION,
    code: "const isWhole = !coversCollection || (hasCart && !ledger.isSettled)",
    without: 'const isWhole = !coversCollection || hasCart || ledger.amount !== ""',
    test: "underpaid-order: is no case when a deposit covers its own collection",
  },
  {
    name: "money whose session is gone pays the cart that waits for it",
    file: DECISION,
    code: 'return isAdoptable ? { kind: "adopt" }',
    without: 'return isAdoptable && medusa.hasCart && paidByAnother ? { kind: "adopt" }',
    test: "corrected-email: is paid with the first link",
  },
  {
    name: "a payment keeps the order whose collection was deleted",
    file: "modules/crypto-payments/payment-requests/request-sql.ts",
    code: "COALESCE(${ORDER_OF_COLLECTION}, r.order_id)",
    without: "COALESCE(${ORDER_OF_COLLECTION}, NULL)",
    test: "deleted-collection: and whose link is paid: the payment is booked on the order",
  },
  {
    name: "what an imported order brought as paid counts",
    file: "modules/crypto-payments/payment-requests/order-balance.ts",
    code: "AND NOT COALESCE(${BOOKS_A_PAYMENT}, false))`",
    without: "AND COALESCE(other.reference, '') NOT IN ('capture', 'refund'))`",
    test: "unusual-stores: with an order that was imported with its payments under",
  },
  {
    name: "a paid cart becomes its order whatever its region offers now",
    file: "workflows/core/complete-in-region.ts",
    code: 'asked.entity === "region" && asked.fields.includes("payment_providers.id")',
    without: 'asked.entity === "region" && asked.fields.includes("no such field")',
    test: "region-change: becomes the order when it is paid",
  },
  {
    name: "a transfer request keeps no unpaid order from expiring",
    file: "workflows/core/cancel-unpaid-order.ts",
    code: "await setTransfersAside(container, orderId)",
    without: "await setTransfersAside(container, `not ${orderId}`)",
    test: "unpaid-order-expiry: is cancelled, and the request is declined",
  },
  {
    name: "a provider that is gone has not lost the link",
    file: "modules/crypto-payments/gateway-clients.ts",
    code: "return { failure: reason }",
    without: 'return { failure: "unknown_to_gateway" }',
    test: "missing-provider: is never closed for not being known",
  },
  {
    name: "a link whose attempt has ended is not given again",
    file: LINKS,
    code: "checked.failure !== null || isEndWord(checked.row)",
    without: "checked.failure !== null && isEndWord(checked.row)",
    test: "ended-attempt: as",
  },
  {
    name: "an unknown word that is no end means that a payment is under way",
    file: "decision/decision-input.ts",
    code: 'return UNPAID_WORD.test(word) ? "UNPAID" : "PENDING"',
    without: 'return UNPAID_WORD.test(word) ? "UNPAID" : word === "PENDING" ? word : "UNKNOWN"',
    test: "ended-attempt: that is no end",
  },
  {
    name: "what core has lowered for a cancelled change is no deposit",
    file: "modules/crypto-payments/payment-requests/core-facts.ts",
    code: "WHERE changed.at > pc.created_at",
    without: "WHERE false",
    test: "canceled-change-link: asks for all that is owed after a cancelled return, and stays",
  },
  {
    name: "the last refund takes what is left in core's books",
    file: "workflows/core/book-refund.ts",
    code: "return amountsEqual(left, amount) ? left.toFixed() : amount",
    without: 'return amountsEqual(left, amount) && left.toFixed() === "" ? left.toFixed() : amount',
    test: "fractional-refund: has nothing left in its books",
  },
  {
    name: "two links of an order are captured one after the other",
    file: "workflows/core/one-capture-at-a-time.ts",
    code: "`crypto:capture:${facts.order_id}`",
    without: "`crypto:capture:${id}`",
    test: "two-links-at-once: and both decide before either is captured",
  },
  {
    name: "an id at another address is another payment's unless its note is ours",
    file: "modules/crypto-payments/gateway-clients.ts",
    code: "if (!isSamePayment(row, record))",
    without: 'if (!isSamePayment(row, record) && row.id === "")',
    test: "moved-gateway: never settles another payment of the same id",
  },
  {
    name: "a listed payment is known wherever its row was made",
    file: "modules/crypto-payments/reconciliation/match-listed.ts",
    code: "AND (${HAS_ITS_NOTE}\n          OR r.gateway_account = :account",
    without: "AND (false\n          OR r.gateway_account = :account",
    test: "moved-gateway: adds no second row when the account has another name",
  },
]

/** Each rule of the audit, left out of the list of rules. */
const AUDIT_GUARDS: ListedGuard[] = AUDIT_RULE_NAMES.map((name) => ({
  name: `audit: ${name}`,
  file: "modules/crypto-payments/audit/rules/index.ts",
  code: "Object.entries(RULES)",
  without: `Object.entries(RULES).filter(([name]) => name !== "${name}")`,
  test: "audit: finds each planted damage, and nothing else",
}))

export const GUARDS: Guard[] = [...CODE_GUARDS, ...SWEEP_GUARDS, ...AUDIT_GUARDS].map((guard) => {
  const [spec = "", test = ""] = guard.test.split(/: (.*)/)
  return { without: "", ...guard, spec, test }
})
