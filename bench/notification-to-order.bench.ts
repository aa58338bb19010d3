import { setTimeout as delay } from "node:timers/promises"
import type { IEventBusModuleService, IWorkflowEngineService } from "@medusajs/framework/types"
import { Modules, PaymentActions } from "@medusajs/framework/utils"
import { processPaymentWorkflowId } from "@medusajs/medusa/core-flows"
import { inParallel } from "../integration-tests/support/in-parallel"
import { notificationData, signedBody } from "../integration-tests/support/notification"
import type { PreparedCheckout } from "../integration-tests/support/shopper"
import { setStock } from "../integration-tests/support/stock"
import { describeStore } from "../integration-tests/support/store-under-test"
import { untilNone } from "../integration-tests/support/wait-until"
import { quantiles, ratio, type Quantiles } from "./support/quantiles"
import { writeReport } from "./support/report"

/** Checkouts by each way. */
const COUNT = Number(process.env["BENCH_CHECKOUTS"] ?? 100)
const WARM_UP = 5
/** Core's own way waits this long in a timer, so its checkouts may wait at the same time: each has a second to itself. */
const CORE_DELAY_MS = 5000
const CORE_EVERY_MS = 1000
const LOOK_MS = 3
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
  /** What core's own webhook route does, which ours replaces: the event it emits, with its delay. */
  const coreRoute = async ({ session }: PreparedCheckout): Promise<void> => {
    const rawData = signedBody(notificationData(session.data.payment_request_id, { status: "PAID" }))
    await store.container.resolve<IEventBusModuleService>(Modules.EVENT_BUS).emit(
      {
        name: "payment.webhook_received",
        data: {
          provider: "crypto_default",
          payload: { data: JSON.parse(rawData) as unknown, rawData, headers: {} },
        },
      },
      { delay: CORE_DELAY_MS, attempts: 3 }
    )
    await delay(CORE_DELAY_MS) // Nothing to look for, and looking costs the others time.
  }
  /** What a settle has written before it lets core capture. Without it the provider confirms no payment. */
  const claim = async ({ session }: PreparedCheckout): Promise<void> => {
    const paid_at = new Date()
    await store
      .knex("crypto_payment_request")
      .where({ session_id: session.id })
      .update({
        ...{ state: "paid", gateway_status: "PAID", paid_at, paid_session_id: session.id },
        ...{ lease_id: FLOOR, lease_until: NEVER },
      })
  }
  /** The floor: nothing but core's workflow, which has to run whoever notices the payment. */
  const floor = async ({ session }: PreparedCheckout): Promise<void> => {
    await store.container
      .resolve<IWorkflowEngineService>(Modules.WORKFLOW_ENGINE)
      .run(processPaymentWorkflowId, {
        input: {
          action: PaymentActions.SUCCESSFUL,
          data: { session_id: session.id, amount: session.data.amount },
        },
      })
  }

  async function timeOf(trigger: (checkout: PreparedCheckout) => Promise<void>): Promise<number> {
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
    await store
      .knex("crypto_payment_request")
      .where({ lease_id: FLOOR })
      .update({ lease_id: null, lease_until: null, next_check_at: new Date() })
    await untilNone(
      async () => await store.knex("crypto_payment_request").whereNull("settled_at").pluck<string[]>("id")
    )
  }

  it(`${COUNT} checkouts by each way`, async () => {
    await setStock(store, 100_000)
    for (const trigger of [ourRoute, floor]) {
      await inParallel(WARM_UP, 1, async () => await timeOf(trigger))
    }
    const times: Record<"ours" | "floor", number[]> = { ours: [], floor: [] }
    // In turns, so that whatever else the machine does strikes both.
    for (let i = 0; i < COUNT; i++) {
      times.ours.push(await timeOf(ourRoute))
      times.floor.push(await timeOf(floor))
    }
    const core = await inParallel(COUNT, COUNT, async (index) => {
      await delay(index * CORE_EVERY_MS)
      return await timeOf(coreRoute)
    })

    await allSettled()
    const [oursMs, floorMs, coreMs] = [quantiles(times.ours), quantiles(times.floor), quantiles(core)]
    const row = (what: string, { p50, p95 }: Quantiles): (string | number)[] => [
      what,
      p50,
      p95,
      ratio(coreMs.p50, p50),
      ratio(p50, floorMs.p50),
      ratio(p95, floorMs.p95),
    ]
    await writeReport("notification-to-order", store, [
      [
        "from the notification to the order",
        "p50 ms",
        "p95 ms",
        "times faster than core's route",
        "p50 over the floor",
        "p95 over the floor",
      ],
      row("our route", oursMs),
      row("core's own route, same provider", coreMs),
      row("floor: core's workflow called directly", floorMs),
    ])
  })
})
