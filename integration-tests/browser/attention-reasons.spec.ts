import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import type { Locator, Page } from "playwright-core"
import { ATTENTION_REASONS } from "../../src/decision/attention"
import { OrderChanges } from "../support/order-changes"
import { setStock } from "../support/stock"
import { waitUntil } from "../support/wait-until"
import { describeAdmin } from "./support/describe-admin"
import type { MadePayment } from "./support/payments"
import { Settings } from "./support/settings"
import { press, ShopperBrowsers } from "./support/shop"
import { setting } from "./support/store"

type Click = (target: Locator) => Promise<void>
type Row = Record<string, unknown>

const CASES = readFileSync(resolve(__dirname, "../../docs/cases.md"), "utf8")
/** The button and the number of clicks that the documentation gives for each reason. */
const TABLE = new Map(
  [...CASES.matchAll(/^\| `(\w+)` +\| \*\*([^*]+)\*\*[^|]*\| (\d)/gm)].map(
    ([, reason = "", action = "", clicks]) => [reason, { action, clicks: Number(clicks) }]
  )
)

describeAdmin("the way out of a case", ({ admin, payments, store }) => {
  const payers = new ShopperBrowsers()
  const settings = new Settings(store)
  beforeEach(async () => await payments.closeCases())
  afterEach(async () => await payers.closeTabs())
  afterAll(async () => await payers.close())

  const rows = () => store.knex<Row>("crypto_payment_request")
  const change = async ({ id }: MadePayment, columns: Row) =>
    void (await rows().where({ id }).update(columns))
  const reasonOf = async ({ id }: MadePayment) =>
    (await rows().where({ id }).first("attention_reason"))?.["attention_reason"]
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const settle = async ({ id }: MadePayment) =>
    void (await store.asAdmin.post(`/crypto-payments/${id}/settle`))
  const untilCase = async (payment: MadePayment, reason: string) => {
    await payments.until(payment.paymentRequestId, { attention_reason: reason })
    return payment
  }
  /** Presses a button of the gateway's payment page. */
  const payWith = async ({ paymentRequestId }: MadePayment, button: Parameters<typeof press>[1]) => {
    const payer = await payers.another()
    await press(await payer.open(`${setting.gateway.url}/pay/${paymentRequestId}`), button)
  }
  const ordered = async (): Promise<MadePayment> => {
    await settings.save({ order_placement: "before_payment", unpaid_order_ttl_minutes: 30 })
    return await payments.ordered().finally(async () => await settings.restore())
  }
  const withButton = async (button: "too_little" | "too_much" | "other_currency") => {
    const payment = await payments.open()
    await payWith(payment, button)
    return await untilCase(payment, "amount_mismatch")
  }
  /** The gateway answers so for this payment, for so long; then it answers again. */
  const whileRead = async (status: number, minutes: number, reason: string) => {
    const payment = await payments.open()
    const { paymentRequestId: payment_request_id } = payment
    await store.gateway.fail({ endpoint: "read", kind: "status", status, times: 100, payment_request_id })
    await settle(payment)
    await change(payment, { failing_since: ago(minutes), unread_since: ago(minutes) })
    await settle(payment)
    await store.gateway.recover()
    return await untilCase(payment, reason)
  }

  /** What brings each case about and, where its button needs that, corrects the cause. */
  const MAKE: Record<string, () => Promise<MadePayment>> = {
    "too little": async () => await withButton("too_little"),
    "too much": async () => await withButton("too_much"),
    // The cart asks for the same amount again.
    "a link of an outdated cart": async () => {
      const payment = await payments.orphaned()
      const path = `/carts/${payment.cartId}`
      const { data } = await store.shopper.get(path)
      const items = data.cart.items as { id: string; variant_id: string }[]
      const added = items.find(({ variant_id }) => variant_id === store.secondVariantId)
      await store.shopper.delete(`${path}/line-items/${String(added?.id)}`)
      return payment
    },
    "paid another way too": async () => {
      const payment = await payments.open()
      const { cartId } = payment
      const { data } = await store.shopper.post("/payment-collections", { cart_id: cartId })
      await store.shopper.openSession(String(data.payment_collection.id), undefined, "pp_system_default")
      const { data: placed } = await store.shopper.complete(cartId)
      const fields = "fields=payment_collections.payments.id"
      const { data: found } = await store.asAdmin.get(`/orders/${String(placed.order.id)}?${fields}`)
      await store.asAdmin.post(
        `/payments/${String(found.order.payment_collections[0].payments[0].id)}/capture`
      )
      await payWith(payment, "pay")
      return await untilCase(payment, "duplicate_payment")
    },
    "an order that was cancelled": async () => {
      const payment = await ordered()
      await store.asAdmin.post(`/orders/${String(payment.orderId)}/cancel`)
      await payWith(payment, "pay")
      return await untilCase(payment, "paid_on_canceled")
    },
    "nothing in stock": async () => {
      const payment = await payments.open()
      const { stocked_quantity: before } = (await store.knex<Row>("inventory_level").first()) ?? {}
      await setStock(store, 0)
      try {
        await payWith(payment, "pay")
        return await untilCase(payment, "paid_without_order")
      } finally {
        await setStock(store, Number(before))
      }
    },
    "an order that is being edited when its time is over": async () => {
      const payment = await ordered()
      const order_id = payment.orderId ?? ""
      await store.asAdmin.post("/order-edits", { order_id })
      const created_at = ago(45)
      await store.knex("order").where({ id: order_id }).update({ created_at })
      const sessions = (await rows().where({ id: payment.id }).first("session_ids"))?.["session_ids"]
      await store
        .knex("payment_session")
        .whereIn("id", sessions as string[])
        .update({ created_at })
      await change(payment, { created_at })
      await settle(payment)
      await untilCase(payment, "order_not_canceled")
      await store.asAdmin.delete(`/order-edits/${order_id}`)
      return payment
    },
    "a part": async () => {
      const payment = await payments.open()
      await payWith(payment, "part")
      await settle(payment)
      await untilCase(payment, "partly_paid")
      await store.gateway.pay(payment.paymentRequestId)
      return payment
    },
    // Written as ten failed attempts leave it, once their cause is gone: they would take an hour.
    "what failed attempts leave": async () => {
      const payment = await payments.open()
      const since = { attention_since: new Date(), settles_begun: 10 }
      await change(payment, { attention_reason: "settle_fails", ...since })
      return payment
    },
    "a provider that is not registered": async () => {
      const payment = await payments.open()
      await change(payment, { provider_id: "pp_crypto_gone" })
      await settle(payment)
      await change(payment, { failing_since: ago(61), unread_since: ago(61) })
      await settle(payment)
      await untilCase(payment, "provider_missing")
      await change(payment, { provider_id: "pp_crypto_default" })
      return payment
    },
    "a gateway that refuses": async () => await whileRead(401, 61, "gateway_refuses"),
    "a gateway that does not answer": async () => await whileRead(503, 25 * 60, "gateway_unreadable"),
    "a status that nobody knows": async () => {
      const payment = await payments.open()
      await store.gateway.setStatus(payment.paymentRequestId, "COMPLETED")
      await settle(payment)
      await change(payment, { status_since: ago(61) })
      await settle(payment)
      await untilCase(payment, "gateway_unclear")
      await store.gateway.setStatus(payment.paymentRequestId, "UNPAID")
      return payment
    },
  }

  /** What comes after the button of the case. */
  const FINISH: Record<string, (page: Page, click: Click, text: string) => Promise<void>> = {
    "Check now": async (page) =>
      await page.getByText("Checked at the gateway", { exact: true }).first().waitFor(),
    "Create draft order": async (page, click) =>
      await click(page.getByRole("alertdialog").getByRole("button", { name: "Create draft order" })),
    "Register refund": async (page, click, text) => {
      await page.getByText("can be registered").waitFor()
      await page.getByRole("textbox", { name: "Reference" }).fill(`sent back: ${text}`)
      await click(page.getByRole("dialog").getByRole("button", { name: "Register refund" }))
    },
    "Use for an order": async (page, click, text) => {
      await page.getByRole("dialog").getByLabel("Search").fill(text)
      await page.getByRole("radio", { checked: true }).waitFor()
      await click(page.getByRole("dialog").getByRole("button", { name: "Use for an order" }))
      await click(page.getByRole("alertdialog").getByRole("button", { name: "Use for an order" }))
    },
    "Copy pay page": async (page) => {
      await page.getByText("Pay page copied", { exact: true }).waitFor()
      const payer = await payers.another()
      const paying = await payer.open(await page.evaluate<string>("navigator.clipboard.readText()"))
      await paying.getByRole("button", { name: "Pay with crypto" }).click()
      await press(paying, "pay")
      await paying.getByRole("heading", { name: "Paid", exact: true }).waitFor()
      // It sees that the order owes nothing any more. The store of these tests does not run it by itself.
      await store.runSchedule()
    },
  }

  /** Follows the case's button to its end, with no more clicks than the documentation says. */
  const follow = async (
    payment: MadePayment,
    reason: string,
    { action, clicks: most } = TABLE.get(reason) ?? { action: "", clicks: 0 },
    text = payment.id
  ) => {
    // Between two cases of one payment there is none.
    await waitUntil(
      async () => await reasonOf(payment),
      (now) => now === reason
    )
    const page = await admin.visit(`/crypto-payments?tab=attention&reason=${reason}`)
    let clicks = 0
    const click: Click = async (target) => {
      clicks += 1
      await target.click()
    }
    const button = page.getByRole("article", { name: payment.id }).getByRole("button").first()
    expect([reason, await button.innerText()]).toEqual([reason, action])
    await click(button)
    await FINISH[action]?.(page, click, text)
    await waitUntil(
      async () => await reasonOf(payment),
      (now) => now !== reason
    )
    expect(clicks).toBeLessThanOrEqual(most)
  }

  /** No case is open, and the nightly check finds nothing to explain. */
  const expectEnd = async (payment: MadePayment) => {
    expect(await reasonOf(payment)).toBeNull()
    const { data } = await waitUntil(
      async () => await store.asAdmin.post("/crypto-payments/audit"),
      ({ status }) => status !== 409
    )
    const { findings, incomplete } = data.audit as {
      findings: { request_ids: string[] }[]
      incomplete: string[]
    }
    expect(findings.filter(({ request_ids }) => request_ids.includes(payment.id))).toEqual([])
    expect(incomplete).toEqual([])
  }

  const WAYS: [name: string, ...reasons: string[]][] = [
    ["too little", "amount_mismatch", "order_underpaid"],
    ["too much", "amount_mismatch", "order_overpaid"],
    ["a link of an outdated cart", "orphan_paid"],
    ["paid another way too", "duplicate_payment"],
    ["an order that was cancelled", "paid_on_canceled"],
    ["nothing in stock", "paid_without_order"],
    ["an order that is being edited when its time is over", "order_not_canceled"],
    ["a part", "partly_paid"],
    ["what failed attempts leave", "settle_fails"],
    ["a provider that is not registered", "provider_missing"],
    ["a gateway that refuses", "gateway_refuses"],
    ["a gateway that does not answer", "gateway_unreadable"],
    ["a status that nobody knows", "gateway_unclear"],
  ]

  it.each(WAYS)("ends %s: %s %s", async (name, ...reasons) => {
    const payment = await MAKE[name]?.()
    if (payment === undefined) {
      throw new Error(`nothing makes ${name}`)
    }
    for (const reason of reasons) {
      await follow(payment, reason)
    }
    await expectEnd(payment)
  })

  it("ends money in another currency: it is used for an order that owes it", async () => {
    const payment = await withButton("other_currency")
    const email = "dirham@example.test"
    await new OrderChanges(store).draft({ currency: "aed", email })
    await follow(payment, "amount_mismatch", { action: "Use for an order", clicks: 3 }, email)
    await expectEnd(payment)
  })

  it("is told of every reason", () => {
    const ended = WAYS.flatMap(([, ...reasons]) => reasons)
    expect([...new Set(ended)].sort()).toEqual([...ATTENTION_REASONS].sort())
    expect([...TABLE.keys()].sort()).toEqual([...ATTENTION_REASONS].sort())
  })
})
