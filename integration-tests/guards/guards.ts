import { AUDIT_RULES } from "../../src/modules/crypto-payments/audit/rules"

/** A piece of code that keeps money right, how it is taken out, and the test that has to fail without it. */
export interface Guard {
  name: string
  /** Under `src`; `code` stands there exactly once. */
  file: string
  code: string
  /** What stands in its place while it is out. */
  without: string
  /** A spec of `integration-tests/http`, without `.spec.ts`. */
  spec: string
  /** The beginning of the name of a test or of a `describe`. */
  test: string
}

const PROVIDER = "providers/crypto/service.ts"
const DECISION = "decision/decide.ts"
const TURN = "decision/decide-turn.ts"
const SETTLEMENTS = "modules/crypto-payments/payment-requests/store.ts"
const REFUNDS = "modules/crypto-payments/refunds/refund-store.ts"
const LINKS = "modules/crypto-payments/payment-requests/issue-payment-link.ts"

const CODE_GUARDS: Guard[] = [
  {
    name: "a paid link is not let go (deletion veto)",
    file: PROVIDER,
    code: "    throw paidVeto()",
    without: "    return",
    spec: "cart-change",
    test: "is refused once the link is paid",
  },
  {
    name: "a request pays one session, ever (claim)",
    file: SETTLEMENTS,
    code: '.where((free) => free.whereNull("paid_session_id").orWhere({ paid_session_id: sessionId }))',
    without: "",
    spec: "checkout",
    test: "never pays a second session",
  },
  {
    name: "what was sent back pays for nothing (claim)",
    file: SETTLEMENTS,
    code: '.whereNull("refund_registered_at")\n      .whereNot({ state: "refunded" })',
    without: "",
    spec: "refund",
    test: "binds no session to money that was sent back",
  },
  {
    name: "amount and currency are compared",
    file: DECISION,
    code: "if (!isEqual(reading, ledger, medusa)) {",
    without: "if (!isEqual(reading, ledger, medusa) && input.now === undefined) {",
    spec: "paid-amount",
    test: "captures nothing and asks for attention",
  },
  {
    name: "what another payment has paid is not captured",
    file: DECISION,
    code: '  if (paidByAnother) {\n    return { kind: "attention", reason: "duplicate_payment" }\n  }',
    without: "",
    spec: "outstanding-amount",
    test: "is a duplicate when the merchant",
  },
  {
    name: "nothing is captured onto a cancelled order",
    file: DECISION,
    code: "const isOrderGone = order?.canceled === true || isDeleted(medusa)",
    without: "const isOrderGone = isDeleted(medusa)",
    spec: "order-first",
    test: "never captures onto a cancelled order",
  },
  {
    name: "the approval hash is verified",
    file: "api/middlewares/receive-notification.ts",
    code: "verifyApprovalHash(data, approvalHash, own) ? [providerId] : []",
    without: 'own.length > 0 && data !== undefined && approvalHash !== "" ? [providerId] : []',
    spec: "webhook",
    test: "to a digest with one digit changed",
  },
  {
    name: "a notification counts only where the row's own key verifies it",
    file: "modules/crypto-payments/payment-requests/queue.ts",
    code: "AND r.provider_id = ANY(:providerIds)",
    without: "AND (true OR r.provider_id = ANY(:providerIds))",
    spec: "two-keys",
    test: "drop what the path's key verifies",
  },
  {
    name: "only what the gateway calls PAID is captured",
    file: PROVIDER,
    code: '    if (decision.kind === "capture") {\n      if (!(await',
    without:
      '    if (decision.kind === "capture" || row.paid_at === null) {\n      if (sessionId === "" && !(await',
    spec: "checkout",
    test: "answers an unpaid completion",
  },
  {
    name: "what the storefront sends as data is emptied",
    file: "api/middlewares/guard-session-creation.ts",
    code: 'delete body["data"]',
    without: "",
    spec: "payment-session",
    test: "ignores what the storefront sends",
  },
  {
    name: "openings of the payment step queue",
    file: "api/middlewares/guard-session-creation.ts",
    code: "await untilAnswered(res, next)",
    without: "next()",
    spec: "payment-session",
    test: "leaves one live session and one link",
  },
  {
    name: "a paid link is not opened again",
    file: LINKS,
    code: "refuseWhatIsPaid({ row }: CheckedRow): Promise<void> {\n    if (row.paid_at !== null) {",
    without:
      "refuseWhatIsPaid({ row, failure }: CheckedRow): Promise<void> {\n    if (row.paid_at !== null && failure !== null) {",
    spec: "payment-session",
    test: "refuses to open again",
  },
  {
    name: "a link needs the payer's e-mail",
    file: "modules/crypto-payments/payment-requests/refuse-unpayable.ts",
    code: 'if (email === null || email.trim() === "") {',
    without: 'if (email === null) {\n    return "nobody@example.test"\n  }\n  if (email === "") {',
    spec: "payment-session",
    test: "answers 400 to a cart without e-mail",
  },
  {
    name: "core's refund needs a registration",
    file: PROVIDER,
    code: "(await this.ledger.refunds.admit(row.id, toTwoDecimals(input.amount), refundId))",
    without: "refundId.length > 0",
    spec: "refund",
    test: "answers 400 to an admin's refund",
  },
  {
    name: "no more is refunded than was paid",
    file: REFUNDS,
    code: "if (MathBN.gt(input.amount, left)) {",
    without: "if (MathBN.gt(input.amount, MathBN.add(left, 1_000_000))) {",
    spec: "refund",
    test: "answers 400 when the second refund",
  },
  {
    name: "an order is not cancelled while its crypto is not sent back",
    file: "api/middlewares/guard-order-cancel.ts",
    code: 'if (await ledger.refuseWhilePaid(orderId, "cancel")) {',
    without: "if (ledger !== null) {",
    spec: "refund",
    test: "answers 400 to an admin's cancel",
  },
  {
    name: "a draft order is not deleted while its crypto is not sent back",
    file: "api/middlewares/guard-draft-order-deletion.ts",
    code: 'await ledger.refuseWhilePaid(req.params["id"] ?? "", "delete")',
    without: "await Promise.resolve(ledger)",
    spec: "deleted-draft-order",
    test: "answers 400 to an admin who deletes it",
  },
  {
    name: "a refunded cart becomes no order (completion guard)",
    file: "api/middlewares/guard-cart-completion.ts",
    code: "if (bar !== null) {",
    without: "if (bar === undefined) {",
    spec: "refund",
    test: "never places the order of a cart whose payment was refunded",
  },
  {
    name: "and not behind the guard either (session asks again)",
    file: REFUNDS,
    code: "UPDATE payment_session s SET authorized_at = NULL",
    without: "UPDATE payment_session s SET authorized_at = s.authorized_at",
    spec: "refund",
    test: "never places it either",
  },
  {
    name: "a case a person has closed becomes no order by itself",
    file: TURN,
    code: " && !isLeftToPerson(input)",
    without: "",
    spec: "out-of-stock",
    test: "becomes no order by itself",
  },
  {
    name: "settled only once core lets the cart go",
    file: TURN,
    code: 'if (decision.kind === "done" && facts.cart_id !== null && done.verified === undefined) {',
    without: 'if (decision.kind === "done" && facts.cart_id === "" && done.verified === undefined) {',
    spec: "taken-back-order",
    test: "is not taken as placed",
  },
  {
    name: "one settle at a time (lease)",
    file: "modules/crypto-payments/payment-requests/queue.ts",
    code: "WHERE r.id = ? AND ${IS_FREE} AND ${condition} RETURNING *`,",
    without: "WHERE r.id = ? AND ${condition} RETURNING *`,",
    spec: "due-rows",
    test: "are shared by two runs",
  },
  {
    name: "a capture core was killed before booking is booked",
    file: TURN,
    code: 'if (decision.kind === "confirm" && mayBook && isCaptureInterrupted(facts)) {',
    without: 'if (decision.kind === "wait" && mayBook && isCaptureInterrupted(facts)) {',
    spec: "crash",
    test: "ends with one order and one booking",
  },
  {
    name: "a collection amount left by a vetoed edit is restored",
    file: "workflows/core/capture-in-core.ts",
    code: "    await restoreCollection(container, row, facts)",
    without: "",
    spec: "cart-change",
    test: "is refused once the link is paid",
  },
  {
    name: "a core that hangs is given up",
    file: "workflows/core/capture-in-core.ts",
    code: "const CORE_MS = 45_000",
    without: "const CORE_MS = 45_000_000",
    spec: "hanging-core",
    test: "over one payment",
  },
  {
    name: "an unreadable gateway refuses to cancel an order",
    file: "modules/crypto-payments/payment-requests/order-links.ts",
    code: 'const mayBePaid = failure !== null && isUnknownToGateway !== true && row.state === "open"',
    without: 'const mayBePaid = failure !== null && isUnknownToGateway !== true && row.state === "closed"',
    spec: "order-first",
    test: "gets 400 while the gateway cannot be asked",
  },
  {
    name: "a refund nobody made is not money sent back",
    file: "modules/crypto-payments/payment-requests/core-facts.ts",
    code: " AND ${IS_SENT_BACK}) AS refunded",
    without: ") AS refunded",
    spec: "refund",
    test: "does not take the payment for sent back",
  },
  {
    name: "a refund core was killed over is taken back before another is booked",
    file: "workflows/core/drop-interrupted-refunds.ts",
    code: "if (interrupted.length > 0) {",
    without: "if (interrupted.length < 0) {",
    spec: "refund",
    test: "is undone, and a registered one",
  },
  {
    name: "an id at another address is another payment's unless its note is ours",
    file: "modules/crypto-payments/gateway-clients.ts",
    code: "return isSamePayment(row, record)",
    without: 'return isSamePayment(row, record) || row.id !== ""',
    spec: "moved-gateway",
    test: "never settles another payment of the same id",
  },
  {
    name: "a listed payment is known wherever its row was made",
    file: "modules/crypto-payments/reconciliation/match-listed.ts",
    code: "AND (${HAS_ITS_NOTE}\n          OR r.gateway_account = :account",
    without: "AND (false\n          OR r.gateway_account = :account",
    spec: "moved-gateway",
    test: "adds no second row when the address changed before",
  },
]

const AUDIT = "modules/crypto-payments/audit/rules/index.ts"

/** Each rule of the audit, left out of the list of rules. */
const AUDIT_GUARDS: Guard[] = AUDIT_RULES.map(({ name }) => {
  const listed = `  ${name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())},\n`
  return {
    name: `audit: ${name}`,
    file: AUDIT,
    code: listed,
    without: `  ...[${listed.trim().slice(0, -1)}].slice(1),\n`,
    spec: "audit",
    test: "finds each planted damage, and nothing else",
  }
})

export const GUARDS: Guard[] = [...CODE_GUARDS, ...AUDIT_GUARDS]
