import type { AxiosResponse } from "axios"
import { findByWholeAudit } from "../support/self-audit"
import type { Fault } from "./fault"
import { toCents, toMoney, type OrderModel } from "./model"
import type { StoreOrder } from "./store-order"

interface Case {
  rowId: string
  reason: string
}

/** What is wrong at the end of a story. What it costs to look is nothing: only the last question changes the order. */
export async function judge(model: OrderModel, order: StoreOrder): Promise<Fault[]> {
  const cases = await readCases(order)
  return [
    ...judgeMoney(model, order, cases),
    ...judgeCases(model, order, cases),
    ...(await judgeAudit(order)),
    ...(model.isLive ? await judgeBooks(model, order) : []),
    ...(await judgeStatus(model, order)),
    ...(await judgeLinks(model, order)),
  ]
}

async function readCases(order: StoreOrder): Promise<Case[]> {
  return await order.shop
    .knex("crypto_payment_request")
    .whereIn("id", (await order.scope()).rowIds)
    .whereNotNull("attention_reason")
    .whereNull("attention_resolved_at")
    .select<Case[]>("id as rowId", "attention_reason as reason")
}

/** Every cent is on the order, sent back, or in a case; and what fits exactly is on the order. */
function judgeMoney(model: OrderModel, order: StoreOrder, cases: Case[]): Fault[] {
  const faults: Fault[] = []
  for (const [index, link] of model.links.entries()) {
    const reason = cases.find(({ rowId }) => rowId === order.links[index]?.rowId)?.reason
    const name = `link ${index + 1} of ${toMoney(link.amount)}`
    const unplaced = model.unplaced(link)
    if (unplaced > 0 && reason === undefined) {
      faults.push({
        rule: "every cent is explained",
        what: `${name} is paid, and ${toMoney(unplaced)} of it is neither on a living order, nor sent back, nor in a case`,
      })
    }
    if (
      link.isPaid &&
      !link.isBroken &&
      (model.isLive || model.stage === "cart") &&
      link.owedWhenPaid === link.amount &&
      model.currency === link.currency &&
      model.owed === link.amount &&
      link.booked === 0
    ) {
      faults.push({
        rule: "what is owed can be paid",
        what: `${name} is paid while the order owed exactly that, and is not booked on it (case: ${reason ?? "none"})`,
      })
    }
    if (!link.isPaid && link.booked > 0) {
      faults.push({
        rule: "nothing else is paid",
        what: `${name} is not paid, and ${toMoney(link.booked)} is booked for it`,
      })
    }
    if (link.booked > 0 && link.booked !== link.amount) {
      faults.push({
        rule: "it is booked once",
        what: `${name} is booked with ${toMoney(link.booked)}`,
      })
    }
  }
  return faults
}

/** Cases that tell a merchant that an order has more than it wants. */
const TOO_MUCH = ["order_overpaid", "duplicate_payment"]

/** A case says what is so, and what is so has a case. */
function judgeCases(model: OrderModel, order: StoreOrder, cases: Case[]): Fault[] {
  const faults: Fault[] = []
  const owed = model.isLive ? model.owed : 0
  const hasCryptoOnAccount = model.links.some(({ booked, refunded }) => booked > refunded)
  // An order that the merchant makes smaller after it was paid is no case: Medusa shows the refund that is due.
  const isTooMuch = owed < 0 && hasCryptoOnAccount && model.cameTooMuch
  if (isTooMuch && !cases.some(({ reason }) => TOO_MUCH.includes(reason))) {
    faults.push({
      rule: "an overpaid order has a case",
      what: `the order has ${toMoney(-owed)} too much, and no case says so (${listCases(cases)})`,
    })
  }
  for (const { rowId, reason } of cases) {
    const link = model.links[order.links.findIndex((given) => given.rowId === rowId)]
    const wrong = isFalse(reason, model, owed, link?.booked ?? 0)
    if (wrong !== undefined) {
      faults.push({
        rule: `${reason} is true`,
        what: `the case ${reason} is open, and ${wrong}; the order owes ${toMoney(owed)}`,
      })
    }
  }
  return faults
}

function isFalse(reason: string, model: OrderModel, owed: number, booked: number): string | undefined {
  switch (reason) {
    case "order_underpaid":
      return owed > 0 ? undefined : "nothing is missing"
    case "order_overpaid":
      return owed < 0 ? undefined : "nothing is too much"
    case "paid_on_canceled":
      return model.isLive ? "the order is not cancelled" : undefined
    case "orphan_paid":
    case "duplicate_payment":
      return booked > 0 && owed >= 0 ? "the payment is booked and wanted" : undefined
    case "paid_without_order":
      return model.isLive && booked > 0 ? "the payment is booked" : undefined
    default:
      return undefined
  }
}

function listCases(cases: Case[]): string {
  return cases.length === 0 ? "no case is open" : `open: ${cases.map(({ reason }) => reason).join(", ")}`
}

/** The findings that name what is this order's. Those of former stories were told then. */
async function judgeAudit(order: StoreOrder): Promise<Fault[]> {
  const { rowIds } = await order.scope()
  const findings = await findByWholeAudit(order.shop.admin(order.stage.at))
  return findings
    .filter(
      ({ request_ids, order_ids }) =>
        request_ids.some((id) => rowIds.includes(id)) || order_ids.some((id) => id === order.orderId)
    )
    .map(({ rule, message }) => ({ rule: `audit ${rule}`, what: `the self-audit finds ${rule}: ${message}` }))
}

/** What core says is outstanding, as its own admin shows it. */
async function judgeBooks(model: OrderModel, order: StoreOrder): Promise<Fault[]> {
  const isDraft = model.stage === "draft"
  const { status, data } = await order.get(`/${isDraft ? "draft-orders" : "orders"}/${order.orderId ?? ""}`)
  const pending = (isDraft ? data.draft_order : data.order)?.summary?.pending_difference
  if (status !== 200 || pending === undefined) {
    return [{ rule: "the order can be read", what: `the order cannot be read: ${status}` }]
  }
  return toCents(pending) === model.owed
    ? []
    : [
        {
          rule: "the books equal the model",
          what: `Medusa says that ${toMoney(toCents(pending))} is outstanding, and the order owes ${toMoney(model.owed)}`,
        },
      ]
}

/** What the shopper's page is told of each link. */
async function judgeStatus(model: OrderModel, order: StoreOrder): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const [index, { sessionIds }] of order.links.entries()) {
    const session = sessionIds.at(-1) ?? ""
    const asOwner = order.cartId === null ? "" : `?cart_id=${order.cartId}`
    const answer = await order.shopper.get(`/crypto-payments/${session}${asOwner}`)
    order.heed(`/store/crypto-payments/${session}`, answer)
    const given = await linkOf(order, answer.data?.payment_link as string | undefined)
    const owed = model.askable ?? 0
    if (model.isLive && owed === 0 && answer.data?.status === "awaiting_payment") {
      faults.push({
        rule: "nobody waits for what is paid",
        what: `the shopper's page of link ${index + 1} awaits a payment, and nothing is owed`,
      })
    }
    if (given !== undefined && given > owed) {
      faults.push({
        rule: "no link asks for more than is owed",
        what: `the shopper's page offers a link of ${toMoney(given)} for link ${index + 1}, and the order owes ${toMoney(owed)}`,
      })
    }
  }
  return faults
}

/** What the merchant can send the customer: a link for what is owed, if anything is. */
async function judgeLinks(model: OrderModel, order: StoreOrder): Promise<Fault[]> {
  const [newest] = order.links.slice(-1)
  if (
    newest === undefined ||
    model.stage === "cart" ||
    model.openChange !== null ||
    !model.isProviderOffered
  ) {
    return []
  }
  const answer = await askForLink(order, newest.rowId)
  const given = await linkOf(order, answer.data?.payment_link as string | undefined)
  const owed = model.askable
  if (given === undefined) {
    return owed === null || model.isClosedByMerchant
      ? []
      : [
          {
            rule: "the rest can be asked for",
            what: `the order owes ${toMoney(owed)}, and payment-link answers ${answer.status} ${String(answer.data?.message)}`,
          },
        ]
  }
  return given === owed || (owed !== null && given < owed && model.deposits.includes(given))
    ? []
    : [
        {
          rule: "a link asks for what is owed",
          what: `payment-link gives a link of ${toMoney(given)}, and the order owes ${toMoney(owed ?? 0)}`,
        },
      ]
}

/** By the order, or, where there is no such route, by its newest payment. */
async function askForLink(order: StoreOrder, rowId: string): Promise<AxiosResponse> {
  const byOrder = `/admin/crypto-payments/orders/${order.orderId ?? ""}/payment-link`
  const answer = await order.stage.admin.post(byOrder, {})
  return answer.status === 404
    ? await order.post(`/crypto-payments/${rowId}/payment-link`)
    : order.heed("/crypto-payments/orders/:id/payment-link", answer)
}

async function linkOf(order: StoreOrder, paymentLink: string | undefined): Promise<number | undefined> {
  if (paymentLink === undefined) {
    return undefined
  }
  const row = await order.shop
    .knex("crypto_payment_request")
    .where({ payment_link: paymentLink })
    .first("payment_request_id")
  return toCents((await order.shop.gateway.payment(row.payment_request_id)).amount)
}
