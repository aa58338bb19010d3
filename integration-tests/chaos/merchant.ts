import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import type { StoreCluster } from "../support/cluster/store-cluster"
import { askDatabase } from "./ask-database"
import type { CheckoutPlan } from "./plan"

const PEOPLE = 2
const IDLE_MS = 200
const PAUSE_MS = 2000
/** An order that is not there yet may come. */
const TRIES_FOR_AN_ORDER = 5
const CANCEL_ORDER = join(__dirname, "cancel-order.mjs")
const OK = 200
const REFUSED = 400

/** Money sent back at the gateway's dashboard, to be registered in Medusa. */
export interface MadeRefund {
  paymentRequestId: string
  amount: string
  reference: string
}

/** What the merchant does about one paid checkout. */
interface Case {
  plan: CheckoutPlan
  cartId: string
  refunds: MadeRefund[]
  tries: number
  notBefore: number
}

/** The people in the back office: they register refunds and cancel orders, and ask again until they get an answer. */
export class Merchant {
  /** Refunds whose registration was answered with 200. */
  readonly registered: MadeRefund[] = []
  canceled = 0
  canceledByScript = 0
  refusedCancels = 0
  private readonly cases: Case[] = []
  private busy = 0
  private goesHome = false

  constructor(private readonly cluster: StoreCluster) {}

  /** Cases that are not over. */
  get left(): number {
    return this.cases.length + this.busy
  }

  /** Draws up what is to be sent back of the paid requests, and puts the case on the desk. */
  async take(plan: CheckoutPlan, cartId: string, paid: string[]): Promise<void> {
    if (plan.refund === "none" && !plan.cancels && !plan.isCanceledByScript) {
      return
    }
    const refunds = await Promise.all(paid.map((id) => this.drawUp(plan.refund, id)))
    this.cases.push({ plan, cartId, refunds: refunds.flat(), tries: 0, notBefore: 0 })
  }

  /** The customer has paid in another way, by bank transfer say, and the merchant captures that. */
  async captureOtherwise(plan: CheckoutPlan, collectionId: string): Promise<void> {
    const payment = await askDatabase(() =>
      this.cluster
        .knex("payment")
        .where({ payment_collection_id: collectionId, provider_id: "pp_system_default", deleted_at: null })
        .first("id")
    )
    if (payment !== undefined) {
      const one: Case = { plan, cartId: "", refunds: [], tries: 0, notBefore: 0 }
      await this.ask(one, 0, `/payments/${String(payment.id)}/capture`)
    }
  }

  /** Works until told to go home, in no order that anybody could rely on. */
  async work(): Promise<void> {
    await Promise.all(Array.from({ length: PEOPLE }, async () => await this.workAlone()))
  }

  goHome(): void {
    this.goesHome = true
  }

  private async workAlone(): Promise<void> {
    while (!this.goesHome) {
      const index = this.cases.findIndex(({ notBefore }) => notBefore <= Date.now())
      const [next] = index < 0 ? [] : this.cases.splice(index, 1)
      if (next === undefined) {
        await delay(IDLE_MS)
        continue
      }
      this.busy++
      if (!(await this.tryToEnd(next))) {
        this.cases.push({ ...next, tries: next.tries + 1, notBefore: Date.now() + PAUSE_MS })
      }
      this.busy--
    }
  }

  private async tryToEnd(one: Case): Promise<boolean> {
    try {
      for (let refund = one.refunds[0]; refund !== undefined; refund = one.refunds[0]) {
        if (!(await this.register(one, refund))) {
          return false
        }
        this.registered.push(refund)
        one.refunds.shift()
      }
      if (one.plan.isCanceledByScript) {
        return await this.cancelByScript(one)
      }
      return !one.plan.cancels || (await this.cancel(one))
    } catch {
      // A server or the database was killed meanwhile: asked again, elsewhere.
      return false
    }
  }

  private async drawUp(kind: CheckoutPlan["refund"], paymentRequestId: string): Promise<MadeRefund[]> {
    const { amount } = await this.cluster.gateway.payment(paymentRequestId)
    const whole = Math.round(Number(amount) * 100)
    const part = Math.floor(whole / 2)
    const parts = { none: [], full: [whole], part: [part], in_two_parts: [part, whole - part] }[kind]
    return parts.map((cents, index) => ({
      paymentRequestId,
      amount: (cents / 100).toFixed(2),
      reference: `${paymentRequestId}-${index + 1}`,
    }))
  }

  /** @returns whether it is registered; otherwise the payment is checked, so that it may be next time */
  private async register(one: Case, { paymentRequestId, amount, reference }: MadeRefund): Promise<boolean> {
    const row = await askDatabase(() =>
      this.cluster.knex("crypto_payment_request").where({ payment_request_id: paymentRequestId }).first("id")
    )
    if (row === undefined) {
      return false
    }
    const path = `/crypto-payments/${row.id}`
    const times = one.plan.registersTwice ? [0, 1] : [0]
    const answers = await Promise.all(
      times.map((turn) => this.ask(one, turn, `${path}/refunds`, { amount, reference }))
    )
    if (answers.includes(OK)) {
      return true
    }
    await this.ask(one, 1, `${path}/settle`)
    return false
  }

  /** @returns whether there is nothing more to do: cancelled, or refused as it has to be */
  private async cancel(one: Case): Promise<boolean> {
    const isSentBack = one.plan.refund === "full" || one.plan.refund === "in_two_parts"
    const order = await this.orderOf(one)
    if (order === undefined) {
      return isSentBack || one.tries >= TRIES_FOR_AN_ORDER
    }
    if (order.status === "canceled") {
      return true
    }
    const answer = await this.ask(one, 0, `/orders/${order.id}/cancel`)
    if (answer === OK) {
      this.canceled++
      return true
    }
    if (answer === REFUSED && !isSentBack) {
      this.refusedCancels++
      return true
    }
    return false
  }

  /** Past every guard: the payment of such an order has to become a case. */
  private async cancelByScript(one: Case): Promise<boolean> {
    const order = await this.orderOf(one)
    if (order === undefined) {
      return one.tries >= TRIES_FOR_AN_ORDER
    }
    if (order.status !== "canceled") {
      await this.cluster.exec(CANCEL_ORDER, order.id)
      this.canceledByScript++
    }
    return (await this.orderOf(one))?.status === "canceled"
  }

  private async orderOf({ cartId }: Case): Promise<{ id: string; status: string } | undefined> {
    return await askDatabase(() =>
      this.cluster
        .knex("order_cart as oc")
        .join("order as o", "o.id", "oc.order_id")
        .where({ "oc.cart_id": cartId, "oc.deleted_at": null })
        .first<{ id: string; status: string } | undefined>("o.id", "o.status")
    )
  }

  /** @returns the HTTP status; undefined when no answer came */
  private async ask(one: Case, turn: number, path: string, body: unknown = {}): Promise<number | undefined> {
    const server = this.cluster.servers[(one.plan.near + one.tries + turn) % this.cluster.servers.length]
    if (server === undefined) {
      throw new Error("there is no server")
    }
    try {
      return (await this.cluster.admin(server).post(`/admin${path}`, body)).status
    } catch {
      return undefined
    }
  }
}
