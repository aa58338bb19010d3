import { setTimeout as delay } from "node:timers/promises"
import type { IWorkflowEngineService } from "@medusajs/framework/types"
import { Modules, PaymentActions } from "@medusajs/framework/utils"
import { processPaymentWorkflowId } from "@medusajs/medusa/core-flows"
import { notificationData, signedBody } from "../integration-tests/support/notification"
import type { PreparedCheckout } from "../integration-tests/support/shopper"
import { setStock } from "../integration-tests/support/stock"
import { describeStore } from "../integration-tests/support/store-under-test"
import { untilNone } from "../integration-tests/support/wait-until"
import { quantile, ratio, writeReport } from "./report"

/** Checkouts by each way. */
const COUNT = Number(process.env["BENCH_CHECKOUTS"] ?? 100)
const WARM_UP = 5
const LOOK_MS = 3
const ROWS = "crypto_payment_request"
/** The lease of the floor's rows: no settle takes them while core works. */
const FLOOR = "floor"
const NEVER = new Date("2100-01-01")

jest.setTimeout(60 * 60_000)

describeStore("from the notification to the placed order", (store) => {
  /** Our webhook route, as the gateway calls it. */
  const ourRoute = async ({ session }: PreparedCheckout): Promise<void> => {
    await fetch(store.webhookUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: signedBody(notificationData(session.data.payment_request_id, { status: "PAID" })),
    })
  }
  /** What a settle has written before it lets core capture. Without it the provider confirms no payment. */
  const claim = async ({ session }: PreparedCheckout): Promise<void> => {
    const paid_at = new Date()
    await store
      .knex(ROWS)
      .where({ session_id: session.id })
      .update({
        ...{ state: "paid", gateway_status: "PAID", paid_at, paid_session_id: session.id },
        ...{ lease_id: FLOOR, lease_until: NEVER },
      })
  }
  /** The floor: nothing but core's workflow, which has to run whoever notices the payment. */
  const floor = async ({ session }: PreparedCheckout): Promise<void> => {
    const data = { session_id: session.id, amount: session.data.amount }
    await store.container
      .resolve<IWorkflowEngineService>(Modules.WORKFLOW_ENGINE)
      .run(processPaymentWorkflowId, { input: { action: PaymentActions.SUCCESSFUL, data } })
  }

  async function timeOf(trigger: typeof floor): Promise<number> {
    const checkout = await store.shopper().checkout()
    await store.gateway.pay(checkout.session.data.payment_request_id)
    if (trigger === floor) {
      await claim(checkout)
    }
    const startedAt = performance.now()
    await trigger(checkout)
    for (;;) {
      const placed = await store
        .knex("order_cart")
        .join("order_transaction", "order_transaction.order_id", "order_cart.order_id")
        .where({ cart_id: checkout.cartId })
        .first<{ order_id: string } | undefined>("order_cart.order_id")
      if (placed !== undefined) {
        return performance.now() - startedAt
      }
      await delay(LOOK_MS)
    }
  }

  /** What follows the order has to end before the store does. */
  const allSettled = async (): Promise<void> => {
    const free = { lease_id: null, lease_until: null, next_check_at: new Date() }
    await store.knex(ROWS).where({ lease_id: FLOOR }).update(free)
    await untilNone(async () => await store.knex(ROWS).whereNull("settled_at").pluck<string[]>("id"))
  }

  it(`${COUNT} checkouts by each way`, async () => {
    await setStock(store, 100_000)
    const ours: number[] = []
    const floors: number[] = []
    // In turns, so that whatever else the machine does strikes both. The first ones warm the store up.
    for (let i = -WARM_UP; i < COUNT; i++) {
      const times = [await timeOf(ourRoute), await timeOf(floor)] as const
      ours.push(...(i < 0 ? [] : [times[0]]))
      floors.push(...(i < 0 ? [] : [times[1]]))
    }
    await allSettled()
    const row = (what: string, times: number[]): (string | number)[] => {
      const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)]
      return [what, p50, p95, ratio(p50, quantile(floors, 0.5)), ratio(p95, quantile(floors, 0.95))]
    }
    await writeReport("notification-to-order", store, [
      ["from the notification to the order", "p50 ms", "p95 ms", "p50 over the floor", "p95 over the floor"],
      row("our route", ours),
      row("floor: core's workflow called directly", floors),
    ])
  })
})
