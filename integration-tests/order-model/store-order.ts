import type { AxiosInstance, AxiosResponse } from "axios"
import { Shopper } from "../support/shopper"
import type { Shop } from "../crash-matrix/shop"
import type { StoreProcess } from "../crash-matrix/store-process"
import type { OrderCommand } from "./command"
import type { Fault } from "./fault"
import { toCents, type Currency } from "./model"
import { letMinutesPass, type Scope } from "./time"
import { until } from "../crash-matrix/rest"

/** A link as the ledger and the gateway have it. */
export interface GivenLink {
  rowId: string
  paymentRequestId: string
  sessionIds: string[]
  /** What the gateway asks the payer for, in cents. */
  amount: number
  currency: Currency
}

/** Where a story is played. One store for all of them; each has an order of its own. */
export interface Stage {
  shop: Shop
  at: StoreProcess
  admin: AxiosInstance
  /** Who may ask for an order that is not theirs. */
  strangerId: string
}

interface Row {
  id: string
  payment_request_id: string | null
  payment_link: string | null
  session_ids: string[]
}

/** The order of one story in the real store: what it is called there, and how it is asked. */
export class StoreOrder {
  readonly shopper: Shopper
  /** What was found on the way. */
  readonly faults: Fault[] = []
  /** What happened, in words. */
  readonly story: string[] = []
  /** The commands that were run. */
  readonly commands: OrderCommand[] = []
  readonly email: string
  cartId: string | null = null
  orderId: string | null = null
  /** Ids of the order's lines, as the model counts them. */
  readonly lineIds: string[] = []
  readonly links: GivenLink[] = []
  /** The return that is under way. */
  returnId: string | null = null
  private references = 0

  constructor(
    readonly stage: Stage,
    number: number
  ) {
    this.email = `model-${number}@example.test`
    const { shop, at } = stage
    const { variantId, inventoryItemIds } = shop.seeded
    this.shopper = shop.shopper(at, { variantId, inventoryItemId: inventoryItemIds[0] ?? "" })
  }

  get shop(): Shop {
    return this.stage.shop
  }

  get variantId(): string {
    return this.shop.seeded.variantId
  }

  /** Another one with each refund, as the gateway's dashboard gives one. */
  nextReference(): string {
    return `0x${this.email}-${++this.references}`
  }

  async post(path: string, body: unknown = {}): Promise<AxiosResponse> {
    return this.heed(path, await this.stage.admin.post(`/admin${path}`, body))
  }

  async get(path: string): Promise<AxiosResponse> {
    return this.heed(path, await this.stage.admin.get(`/admin${path}`))
  }

  async delete(path: string): Promise<AxiosResponse> {
    return this.heed(path, await this.stage.admin.delete(`/admin${path}`))
  }

  /** A store may refuse. It may not fail. */
  heed(path: string, answer: AxiosResponse): AxiosResponse {
    const name = path.replace(/[a-z]+_[A-Za-z0-9]{10,}/g, ":id")
    const said = ((answer.data as { message?: string } | undefined)?.message ?? "").slice(0, 200)
    if (answer.status >= 400) {
      this.story.push(`    ${name}: ${answer.status} ${said}`)
    }
    if (answer.status >= 500) {
      this.fault(`${name} fails`, `${name} was answered ${answer.status}: ${said}`)
    }
    return answer
  }

  fault(rule: string, what: string): void {
    this.faults.push({ rule, what })
  }

  /** Asks one after the other, and stops at the first refusal. @returns whether all were accepted */
  async postAll(steps: [path: string, body?: unknown][]): Promise<boolean> {
    for (const [path, body] of steps) {
      if ((await this.post(path, body)).status >= 300) {
        return false
      }
    }
    return true
  }

  /** Learns of the lines that the order has now; the ids of new ones are kept, oldest first. */
  async learnLines(): Promise<void> {
    const ids = await this.shop
      .knex("order_item as i")
      .join("order_line_item as l", "l.id", "i.item_id")
      .join("order as o", "o.id", "i.order_id")
      .where("i.order_id", this.orderId)
      .whereNull("i.deleted_at")
      .whereRaw("i.version = o.version")
      .orderBy(["l.created_at", "l.id"])
      .pluck<string[]>("i.item_id")
    this.lineIds.push(...ids.filter((id) => !this.lineIds.includes(id)))
  }

  async scope(): Promise<Scope> {
    const { knex } = this.shop
    const ofCart = knex("cart_payment_collection").where({ cart_id: this.cartId })
    const ofOrder = knex("order_payment_collection").where({ order_id: this.orderId })
    const collectionIds = [
      ...(this.cartId === null ? [] : await ofCart.pluck<string[]>("payment_collection_id")),
      ...(this.orderId === null ? [] : await ofOrder.pluck<string[]>("payment_collection_id")),
    ]
    const known = this.links.map(({ rowId }) => rowId)
    const rowIds = await knex("crypto_payment_request")
      .whereIn("id", known)
      .orWhereIn("payment_collection_id", collectionIds)
      .orWhereRaw("cart_id = ? OR order_id = ?", [this.cartId, this.orderId])
      .pluck<string[]>("id")
    return { rowIds, collectionIds, orderIds: this.orderId === null ? [] : [this.orderId] }
  }

  /** Learns of links that were given out since. */
  async learnLinks(): Promise<void> {
    const { knex, gateway } = this.shop
    const rows = await knex("crypto_payment_request")
      .whereIn("id", (await this.scope()).rowIds)
      .whereNotNull("payment_link")
      .orderBy(["created_at", "id"])
      .select<Row[]>("id", "payment_request_id", "payment_link", "session_ids")
    for (const { id, payment_request_id: paymentRequestId, session_ids: sessionIds } of rows) {
      const known = this.links.find(({ rowId }) => rowId === id)
      if (known !== undefined) {
        known.sessionIds = sessionIds
      } else if (paymentRequestId !== null) {
        const { amount, currency_symbol } = await gateway.payment(paymentRequestId)
        const currency = currency_symbol === "AED" ? "aed" : "usd"
        this.links.push({ rowId: id, paymentRequestId, sessionIds, amount: toCents(amount), currency })
      }
    }
  }

  /** Runs the job of every minute, and waits until nobody is at work on this order any more. */
  async comeToRest(): Promise<void> {
    await this.untilIdle()
    await this.stage.at.runSchedule()
    await this.untilIdle()
  }

  /** Whether a payment of it has a case; of one of these reasons, that nobody has closed. */
  async hasCase(openReasons?: readonly string[]): Promise<boolean> {
    const { rowIds } = await this.scope()
    const cases = this.shop
      .knex("crypto_payment_request")
      .whereIn("id", rowIds)
      .whereNotNull("attention_reason")
    if (openReasons !== undefined) {
      void cases.whereIn("attention_reason", openReasons).whereNull("attention_resolved_at")
    }
    return (await cases.first("id")) !== undefined
  }

  /** As if that time had passed for this order, and then the schedule ran. */
  async letMinutesPass(minutes: number): Promise<void> {
    await this.untilIdle()
    await letMinutesPass(this.shop.knex, await this.scope(), minutes)
    await this.comeToRest()
  }

  async untilIdle(): Promise<void> {
    const { rowIds } = await this.scope()
    await until(
      async () =>
        await this.shop
          .knex("crypto_payment_request")
          .whereIn("id", rowIds)
          .whereRaw("lease_until > now()")
          .pluck<string[]>("id"),
      (held) => held.length === 0
    )
  }
}
