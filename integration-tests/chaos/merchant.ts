import { setTimeout as delay } from "node:timers/promises"
import type { StoreCluster } from "../support/cluster/store-cluster"
import { MOVES, nothingDone, type MadeRefund } from "../support/facts"
import { isSame } from "../support/money"
import { OrderChanges } from "../support/order-changes"
import { PayPages } from "../support/pay-page"
import { ACTS, CHEAPENING, endOpenChange, readBalance, type Act, type OrderForAct } from "./acts"
import type { CheckoutPlan } from "./plan"

const PAUSE_MS = 2000
/** An order that is not there yet may come, by the second run of the schedule at the latest. */
const TRIES_FOR_AN_ORDER = 40
const OK = 200
const REFUSED = 400

/** Of a cart, or a draft. */
type CaseOf = { cartId: string } | { orderId: string }
/** What is done to an order once, and not again and again until it is answered. */
type OrderAct = Act & { kind: keyof typeof ACTS }
type Step = Act | { kind: "register"; refund: MadeRefund }

/** What people do about one checkout, one step after the other. */
interface Case {
  plan: CheckoutPlan
  of: CaseOf
  paid: string[]
  steps: Step[]
  /** How often the step that is next was tried. */
  tries: number
}

/** The people in the back office, and the customers of orders: they ask again until they get an answer. */
export class Merchant {
  readonly done = nothingDone()
  /** What was answered and may not be, in sentences. */
  readonly faults: string[] = []
  /** How often each act was done. */
  readonly acts: string[] = []
  readonly refusedActs: string[] = []
  /** What is not over yet. */
  private readonly cases = new Set<Case>()

  constructor(readonly cluster: StoreCluster) {}

  /** What the cases that are not over wait for, each in words. */
  describeLeft(): string[] {
    return [...this.cases].map(
      ({ of, paid, steps, tries }) =>
        `the merchant has not finished: ${JSON.stringify({ of, paid, steps, tries })}`
    )
  }

  /** Draws up what is to be done about an order, and begins with it. */
  async take(plan: CheckoutPlan, of: CaseOf, paid: string[]): Promise<void> {
    const refunds = (await Promise.all(paid.map((id) => this.drawUp(plan.refund, id)))).flat()
    const registering = refunds.map((refund): Step => ({ kind: "register", refund }))
    const steps = plan.refundsFirst ? [...registering, ...plan.acts] : [...plan.acts, ...registering]
    if (plan.cancels) {
      steps.push({ kind: "cancel", choice: 0 })
    }
    if (steps.length > 0) {
      void this.finish({ plan, of, paid: [...paid], steps, tries: 0 })
    }
  }

  /** Cancels the orders that a dead process has left, as far as cases name them, so that their carts are completed. */
  async cancelOrdersLeftBehind(): Promise<void> {
    const { knex } = this.cluster
    const named = await knex({ r: "crypto_payment_request" })
      .join({ a: "crypto_payment_activity" }, "a.request_id", "r.id")
      .join({ o: "order" }, "o.id", knex.raw("a.detail ->> 'order_id'"))
      .where({ "r.attention_reason": "paid_without_order", "r.attention_resolved_at": null })
      .where({ "a.type": "attention", "o.canceled_at": null })
      .select<{ id: string; order_id: string }[]>("r.id", "o.id as order_id")
    for (const { id, order_id } of named) {
      this.acts.push("cancel_left_behind")
      await this.ask(0, `/orders/${order_id}/cancel`)
      await this.ask(0, `/crypto-payments/${id}/settle`)
    }
  }

  /** The customer has paid in another way, by bank transfer say, and the merchant captures that. */
  async captureOtherwise({ near }: CheckoutPlan, collectionId: string): Promise<void> {
    const payment = await this.cluster
      .knex("payment")
      .where({ payment_collection_id: collectionId, provider_id: "pp_system_default", deleted_at: null })
      .first("id")
    if (payment !== undefined) {
      await this.ask(near, `/payments/${String(payment.id)}/capture`)
    }
  }

  /** One of the servers, as the logged-in merchant asks it. */
  backOffice(turn: number) {
    const { knex, seeded, admin, http, server } = this.cluster
    return { knex, seeded, asAdmin: admin(server(turn)), http: http(server(turn)) }
  }

  private async finish(one: Case): Promise<void> {
    this.cases.add(one)
    while (!(await this.tryToEnd(one))) {
      one.tries++
      await delay(PAUSE_MS)
    }
    this.cases.delete(one)
  }

  private async tryToEnd(one: Case): Promise<boolean> {
    try {
      for (let step = one.steps[0]; step !== undefined; step = one.steps[0]) {
        if (!(await this.takeStep(one, step))) {
          return false
        }
        one.steps.shift()
        one.tries = 0
      }
      return true
    } catch {
      // A server or the database was killed meanwhile: asked again, elsewhere.
      return false
    }
  }

  /** @returns whether the step is over */
  private async takeStep(one: Case, step: Step): Promise<boolean> {
    if (step.kind === "register") {
      return await this.register(one, step.refund)
    }
    const order = await this.orderOf(one)
    if (order === undefined) {
      const left = one.steps.filter(({ kind }) => kind === "register")
      const isOver = (isSentBack(one.plan) && left.length === 0) || one.tries >= TRIES_FOR_AN_ORDER
      if (isOver) {
        one.steps.splice(1, one.steps.length, ...left)
      }
      return isOver
    }
    if (step.kind === "cancel") {
      return await this.cancel(one, order)
    }
    await this.act(one, order, step as OrderAct)
    return true
  }

  /** Once: a store may refuse, and who gets no answer gives up. */
  private async act(one: Case, order: FoundOrder, { kind, choice }: OrderAct): Promise<void> {
    const { done } = this
    const { id } = order
    const booked = await this.bookedOn(id)
    if (CHEAPENING.includes(kind)) {
      done.cheapened.add(id)
      // What a settle found too much waits until somebody asks for it, also if the order asks for it again (ADR 16).
      for (const paid of one.paid) {
        done.exact.delete(paid)
      }
    }
    try {
      const found = this.orderForAct(one, order)
      if (kind === "pay_at_page") {
        await this.makeOwing(found)
      }
      await ACTS[kind](found, choice)
    } catch {
      this.refusedActs.push(kind)
      return
    }
    this.acts.push(kind)
    if (kind === "delete_draft" && booked > 0) {
      this.faults.push(`the draft ${id} was deleted, and ${booked.toFixed(2)} was booked on it`)
    }
  }

  /** An order that owes nothing is made dearer. */
  private async makeOwing(order: OrderForAct): Promise<void> {
    if (Number((await readBalance(order.knex, order.id))?.owed ?? 0) < 0.01) {
      await ACTS.edit_up(order, 0)
    }
  }

  /** An order as an act finds it, at one of the servers, and a customer there. */
  orderForAct(one: Case, { id, isDraft }: FoundOrder) {
    const turn = one.plan.near + one.tries
    const office = this.backOffice(turn)
    return {
      ...office,
      id,
      isDraft,
      changes: new OrderChanges(office),
      pages: new PayPages(office),
      shopper: this.cluster.shopper(this.cluster.server(turn)),
      /** The customer pays that link of the order, or one of them. */
      payLink: async (choice: number, wanted?: string) => await this.payLink(one, id, choice, wanted),
    }
  }

  /**
   * The customer pays that link, or any link of the order that was ever given out. Every other time, the notification
   * is lost.
   */
  private async payLink(one: Case, orderId: string, choice: number, wanted?: string): Promise<void> {
    const { gateway, knex } = this.cluster
    const rows = await knex("crypto_payment_request")
      .whereNotNull("payment_link")
      .where((of) =>
        of
          .where({ order_id: orderId })
          .orWhereIn("cart_id", knex("order_cart").where({ order_id: orderId }).select("cart_id"))
          .orWhereIn(
            "payment_collection_id",
            knex("order_payment_collection").where({ order_id: orderId }).select("payment_collection_id")
          )
      )
      .orderBy("created_at")
      .select<LinkRow[]>("payment_request_id", "settled_at", "attention_reason")
    const links = await Promise.all(
      rows.map(async (row) => ({ ...row, ...(await gateway.payment(row.payment_request_id)) }))
    )
    const unpaid = links.filter(({ paid_at }) => paid_at === null)
    const link =
      wanted === undefined
        ? unpaid[choice % unpaid.length]
        : unpaid.find(({ payment_request_id }) => payment_request_id === wanted)
    if (link === undefined) {
      throw new Error("the order has no link that is not paid")
    }
    const balance = await readBalance(knex, orderId)
    // Two at once: which of them fits is not for this to say.
    const isAlone = links.every(
      ({ paid_at, settled_at, attention_reason }) =>
        paid_at === null || (settled_at !== null && attention_reason === null)
    )
    const id = link.payment_request_id
    const isCurrency = balance?.currency.toUpperCase() === link.currency_symbol
    const collections = await new OrderChanges(this.backOffice(one.plan.near)).openCollections(orderId)
    const isAsked = collections.some(({ amount }) => isSame(amount, link.amount))
    if (isAlone && isAsked && isCurrency && isSame(balance.owed, link.amount)) {
      this.done.exact.add(id)
    }
    one.paid.push(id)
    await gateway.pay(id)
    if (choice % 2 === 0) {
      await gateway.notify(id, { url: this.cluster.server(one.plan.near).webhookUrl })
    }
  }

  private async drawUp(kind: CheckoutPlan["refund"], id: string): Promise<MadeRefund[]> {
    const { amount } = await this.cluster.gateway.payment(id)
    const whole = Math.round(Number(amount) * 100)
    const part = Math.floor(whole / 2)
    const parts = { none: [], full: [whole], part: [part], in_two_parts: [part, whole - part] }[kind]
    return parts.map((cents, index) => refundOf(id, cents, index + 1))
  }

  /** @returns whether it is registered; otherwise the payment is checked, so that it may be next time */
  private async register(one: Case, refund: MadeRefund): Promise<boolean> {
    const { paymentRequestId, amount, reference } = refund
    const { knex } = this.cluster
    const row = await knex("crypto_payment_request")
      .where({ payment_request_id: paymentRequestId })
      .first("id", "order_id")
    if (row === undefined) {
      return false
    }
    const path = `/crypto-payments/${row.id}`
    const first = one.plan.near + one.tries
    const turns = one.plan.registersTwice ? [first, first + 1] : [first]
    const answers = await Promise.all(
      turns.map((turn) => this.ask(turn, `${path}/refunds`, { amount, reference }))
    )
    if (answers.includes(OK)) {
      this.done.registered.push(refund)
      return true
    }
    const order = await this.orderOf(row.order_id === null ? one : { of: { orderId: row.order_id } })
    if (order !== undefined && answers.includes(REFUSED)) {
      await endOpenChange(this.orderForAct(one, order))
    }
    await this.ask(first + 1, `${path}/settle`)
    return false
  }

  /** @returns whether there is nothing more to do: cancelled, or refused as it has to be */
  private async cancel(one: Case, order: FoundOrder): Promise<boolean> {
    if (order.status === "canceled") {
      return true
    }
    const booked = await this.bookedOn(order.id)
    const answer = await this.ask(one.plan.near + one.tries, `/orders/${order.id}/cancel`)
    if (answer === OK) {
      this.acts.push("cancel")
      if (booked > 0) {
        this.faults.push(`${order.id} was cancelled, and ${booked.toFixed(2)} was booked on it`)
      }
      return true
    }
    // An order that somebody did something to may have been shipped, or be under change. PAID may be reported of another
    // of its links: that is a case an hour later.
    const isReported = this.cluster
      .knex("crypto_payment_request")
      .where({ order_id: order.id, is_reported_paid: true, paid_at: null })
    const isKept = !isSentBack(one.plan) || one.plan.acts.length > 0 || (await isReported).length > 0
    if (answer === REFUSED && isKept) {
      this.refusedActs.push("cancel")
      return true
    }
    if (answer === REFUSED) {
      await endOpenChange(this.orderForAct(one, order))
    }
    return false
  }

  /** What of crypto payments is on the order and was not sent back. */
  private async bookedOn(orderId: string): Promise<number> {
    const { rows } = await this.cluster.knex.raw<{ rows: [{ booked: string }] }>(
      `SELECT COALESCE(SUM(t.amount), 0)::text AS booked
         FROM order_transaction t JOIN ${MOVES} m ON m.id = t.reference_id
         JOIN payment p ON p.id = m.payment_id AND p.provider_id LIKE 'pp_crypto_%'
        WHERE t.order_id = ? AND t.deleted_at IS NULL`,
      [orderId]
    )
    return Number(rows[0].booked)
  }

  private async orderOf({ of }: Pick<Case, "of">): Promise<FoundOrder | undefined> {
    return await this.cluster
      .knex("order as o")
      .leftJoin("order_cart as oc", (on) => on.on("oc.order_id", "o.id").onNull("oc.deleted_at"))
      .where("orderId" in of ? { "o.id": of.orderId } : { "oc.cart_id": of.cartId })
      .first<FoundOrder | undefined>("o.id", "o.status", "o.is_draft_order as isDraft")
  }

  /** @returns the HTTP status; undefined when no answer came */
  private async ask(turn: number, path: string, body: unknown = {}): Promise<number | undefined> {
    const answer = await this.backOffice(turn)
      .asAdmin.post(path, body)
      .catch(() => undefined)
    return answer?.status
  }
}

interface FoundOrder {
  id: string
  status: string
  isDraft: boolean
}

interface LinkRow {
  payment_request_id: string
  settled_at: Date | null
  attention_reason: string | null
}

const refundOf = (paymentRequestId: string, cents: number, number: number): MadeRefund => ({
  paymentRequestId,
  amount: (cents / 100).toFixed(2),
  reference: `${paymentRequestId}-${number}`,
})

const isSentBack = ({ refund }: CheckoutPlan): boolean => refund === "full" || refund === "in_two_parts"
