import ar from "../../src/admin/i18n/ar.json"
import en from "../../src/admin/i18n/en.json"
import { accessibilityFaults, choose, hasFocus, holdBack } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"
import type { MadePayment } from "./support/payments"
import { untilTrue, waitUntil } from "../support/wait-until"

describeAdmin("a payment's own page", ({ admin, payments, store }) => {
  /** Statements that wait for a row. */
  const blocked = async () =>
    await store
      .knex("pg_stat_activity")
      .whereRaw("datname = current_database() AND wait_event_type = 'Lock'")
      .pluck("pid")
  const rowOf = async ({ id }: MadePayment) =>
    await store.knex<Record<string, unknown>>("crypto_payment_request").where({ id }).first()

  /** Those that are only looked at. */
  let paid: MadePayment
  let mismatched: MadePayment
  beforeAll(async () => {
    paid = await payments.paid({ coin: "ETH" })
    mismatched = await payments.mismatched()
  })

  it("shows what is recorded and its timeline", async () => {
    const page = await admin.visit(`/crypto-payments/${paid.id}`)
    await page.getByRole("heading", { name: "20.01 USD" }).waitFor()
    await page.getByText("ETH").first().waitFor()
    await page.getByText("paid by you").first().waitFor()
    await page.getByText("Captured: 20.01 USD", { exact: true }).waitFor()
    await page.getByRole("link", { name: `#${String(paid.displayId)}` }).waitFor()
  })

  it("captures a payment the store was never told of, with Check now", async () => {
    const payment = await payments.open()
    await store.gateway.pay(payment.paymentRequestId)
    const page = await admin.visit(`/crypto-payments/${payment.id}`)
    await page.getByRole("button", { name: "Check now" }).click()
    await page.getByText("Checked at the gateway", { exact: true }).waitFor()
    await page.getByText("Captured: 20.01").waitFor()
    expect(await rowOf(payment)).toMatchObject({ state: "captured" })
  })

  it("shows what a refused check has changed", async () => {
    const payment = await payments.open()
    await store.gateway.pay(payment.paymentRequestId)
    const page = await admin.visit(`/crypto-payments/${payment.id}`)
    await page.route("**/settle", async (route) => {
      await route.fetch()
      await route.fulfill({ status: 400, json: { code: "being_settled" } })
    })
    await page.getByRole("button", { name: "Check now" }).click()
    await page.getByText("This payment is being settled. Try again in two minutes.").waitFor()
    await page.getByText("Captured: 20.01").waitFor()
  })

  it("says in Arabic that Check now did not reach the gateway, and checks when it is back", async () => {
    const payment = await payments.open()
    await store.gateway.fail({ endpoint: "read", kind: "reset", times: 100 })
    const page = await admin.visit(`/crypto-payments/${payment.id}`, { language: "ar" })
    await page.getByText(ar.problems.unreachable).waitFor()
    await page.getByRole("button", { name: ar.actions.check }).click()
    await page.getByText(ar.actions.gatewayNotRead, { exact: true }).waitFor()
    await page.getByText(ar.problems.unreadable).waitFor()
    expect(await rowOf(payment)).toMatchObject({ state: "open", failure: "unreadable" })
    await store.gateway.recover()
    await page.getByRole("button", { name: ar.actions.check }).click()
    await page.getByText(ar.actions.checked, { exact: true }).waitFor()
  })

  it("never calls a check done on a paid case while the gateway cannot be read", async () => {
    const { id } = await payments.mismatched()
    const page = await admin.visit(`/crypto-payments/${id}`)
    const check = async () => await choose(page.locator("main"), "Check now")
    await store.gateway.fail({ endpoint: "read", kind: "status", status: 503, times: 100 })
    await check()
    await page.getByText("The gateway could not be read", { exact: true }).waitFor()
    expect(await page.getByText("Checked at the gateway", { exact: true }).count()).toBe(0)
    await store.gateway.recover()
    await check()
    await page.getByText("Checked at the gateway", { exact: true }).waitFor()
    await page.getByText("There is an open case.").waitFor()
  })

  it("shows the gateway's reference whole on a phone", async () => {
    await store.knex("crypto_payment_request").where({ id: mismatched.id }).update({ fee_amount: "0.01" })
    const page = await admin.visit(`/crypto-payments/${mismatched.id}`, { width: 390 })
    const comparison = page.getByRole("region", { name: "Gateway's record" })
    await comparison.getByText(/REF/).first().waitFor()
    expect(await comparison.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0)
  })

  it("marks where the gateway's record differs from ours", async () => {
    const payment = await payments.open()
    await store.gateway.pay(payment.paymentRequestId)
    const page = await admin.visit(`/crypto-payments/${payment.id}`)
    const status = page.locator("tbody tr", { hasText: "Status" })
    await status.getByText("PAID").waitFor()
    await status.getByText("Differs").waitFor()
    expect(await page.locator("tbody tr", { hasText: "Currency" }).getByText("Differs").count()).toBe(0)
  })

  it("says that the gateway could not be reached, and reads it when it is back", async () => {
    const payment = await payments.open()
    await store.gateway.fail({ endpoint: "read", kind: "reset", times: 100 })
    const page = await admin.visit(`/crypto-payments/${payment.id}`)
    await page.getByText("The gateway could not be reached, or it answered").waitFor()
    await store.gateway.recover()
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("The gateway has the same record.").waitFor()
    expect(await page.getByRole("region", { name: "Gateway's record" }).count()).toBe(0)
  })

  it("says that the gateway does not have the payment, and does not call the answer a failure", async () => {
    const payment = await payments.open()
    await store.gateway.fail({ endpoint: "read", kind: "status", status: 404, times: 100 })
    const page = await admin.visit(`/crypto-payments/${payment.id}`)
    await page.getByText("The gateway does not have this record.").waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
    await store.gateway.recover()
  })

  it("shows a long timeline page by page, to its first entry and back", async () => {
    const payment = await payments.paid()
    const activities = () => store.knex("crypto_payment_activity").where({ request_id: payment.id })
    await store.knex("crypto_payment_activity").insert(
      Array.from({ length: 30 }, (_, n) => ({
        id: `cpact_long_${String(n)}`,
        request_id: payment.id,
        type: "refund",
        detail: { amount: "0.01", reference: `entry ${String(n)}` },
      }))
    )
    const page = await admin.visit(`/crypto-payments/${payment.id}`)
    await page.getByText(/, entry 29$/).waitFor()
    await page.getByText(/, entry 10$/).waitFor()
    expect(await page.getByText(/, entry 9$/).count()).toBe(0)
    await page.getByRole("button", { name: "Show older" }).click()
    await page.getByText(/, entry 9$/).waitFor()
    await page.getByText(/^Order #\d+ placed$/).waitFor()
    expect(await page.getByRole("button", { name: "Show older" }).count()).toBe(0)
    await page.getByRole("button", { name: "Show the newest" }).click()
    await page.getByText(/, entry 29$/).waitFor()
    await activities().where("id", "like", "cpact_long_%").delete()
  })

  it("registers a refund that was made at the gateway", async () => {
    const payment = await payments.paid()
    const page = await admin.visit(`/crypto-payments/${payment.id}`)
    await page.getByRole("button", { name: "Register refund" }).click()
    const drawer = page.getByRole("dialog")
    await drawer.getByText("The gateway cannot send refunds from here").waitFor()
    await drawer.getByText("A registered refund cannot be taken back").waitFor()
    // What the form suggests is replaced by typing.
    await page.waitForFunction("document.activeElement.value === '20.01'")
    await page.keyboard.type("5.015")
    await page.keyboard.press("Enter")
    await drawer.getByText(`${en.refund.amountInvalid} Up to 20.01 USD can be registered.`).waitFor()
    await page.keyboard.press("Backspace")
    await page.keyboard.press("Tab")
    await page.keyboard.type("tx-5f01")
    await drawer.getByRole("button", { name: "Register refund" }).click()
    await page.getByText("Refund registered", { exact: true }).waitFor()
    await page.getByText("Refund registered: 5.01 USD, tx-5f01").waitFor()
    const refunds = await store
      .knex<Record<string, unknown>>("crypto_payment_refund")
      .where({ request_id: payment.id })
    expect(refunds).toMatchObject([{ amount: "5.01", reference: "tx-5f01", state: "applied" }])
    const [refund] = await store
      .knex<Record<string, unknown>>("refund")
      .where("id", String(refunds[0]?.["medusa_refund_id"]))
    expect(Number(refund?.["amount"])).toBe(5.01)
  })

  it("stays open while a refund waits, whatever is pressed and typed, and registers it once", async () => {
    const payment = await payments.paid()
    const page = await admin.visit(`/crypto-payments/${payment.id}`)
    await page.getByRole("button", { name: "Register refund" }).click()
    const drawer = page.getByRole("dialog")
    await drawer.getByRole("textbox", { name: "Reference" }).fill("tx-5f02")
    const waiting = await store.knex.transaction()
    try {
      await waiting("crypto_payment_request").where({ id: payment.id }).forUpdate().select("id")
      await drawer.getByRole("button", { name: "Register refund" }).click()
      await waitUntil(
        async () => (await blocked()).length,
        (count) => count > 0
      )
      await page.keyboard.press("Escape")
      await drawer.getByLabel("Note").fill("sent in the morning")
      await drawer.getByRole("textbox", { name: "Reference" }).fill("tx-5f03")
      await drawer.getByRole("textbox", { name: "Reference" }).press("Enter")
      expect(await drawer.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true)
    } finally {
      await waiting.rollback()
    }
    await page.getByText("Refund registered", { exact: true }).waitFor()
    await drawer.waitFor({ state: "detached" })
    expect(
      await store.knex("crypto_payment_refund").where({ request_id: payment.id }).pluck("reference")
    ).toEqual(["tx-5f02"])
  })

  it("shows and takes what came in another currency in that currency", async () => {
    const payment = await payments.mismatched({ currencySymbol: "AED" })
    const page = await admin.visit(`/crypto-payments/${payment.id}`)
    await page.getByRole("heading", { name: "20.01 AED paid, 20.01 USD requested" }).waitFor()
    const fact = (name: string) =>
      page
        .locator("dl > div")
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator("dd")
    expect(
      await Promise.all(
        ["Amount requested", "Amount paid", "You receive"].map(async (name) => await fact(name).innerText())
      )
    ).toEqual(["20.01 USD", "20.01 AED", "19.8099 AED"])
    expect(await fact("Refunded").count()).toBe(0)
    await fact("Fee").getByText("0.2001 AED").waitFor()
    await choose(page.locator("main"), "Register refund")
    const drawer = page.getByRole("dialog")
    await drawer.getByText("Up to 20.01 AED can be registered.").waitFor()
    expect(await drawer.getByLabel("Amount (AED)").inputValue()).toBe("20.01")
    await drawer.getByRole("textbox", { name: "Reference" }).fill("tx-aed")
    await drawer.getByRole("button", { name: "Register refund" }).click()
    await page.getByText("Refund registered", { exact: true }).waitFor()
    await fact("Refunded").getByText("20.01 AED of 20.01 AED refunded").waitFor()
    const registered = page.locator("div", { has: page.getByText("tx-aed", { exact: true }) }).last()
    await registered.getByText("20.01 AED").waitFor()
    expect(await page.getByText(/^Refund registered:.*tx-aed/).innerText()).not.toContain("USD")
  })

  it.each(["0", "5.001", "-1", "five"])("does not send %s as a refund's amount", async (amount) => {
    const page = await admin.visit(`/crypto-payments/${paid.id}`)
    await page.getByRole("button", { name: "Register refund" }).click()
    await page.getByLabel("Amount (USD)").fill(amount)
    await page.getByRole("textbox", { name: "Reference" }).fill("tx")
    await page.getByRole("dialog").getByRole("button", { name: "Register refund" }).click()
    await page.getByText("Enter an amount above zero").waitFor()
    expect(await store.knex("crypto_payment_refund").where({ request_id: paid.id })).toEqual([])
  })

  it("says why a refund of more than was paid is refused", async () => {
    const page = await admin.visit(`/crypto-payments/${paid.id}`)
    await page.getByRole("button", { name: "Register refund" }).click()
    await page.getByLabel("Amount (USD)").fill("20.02")
    await page.getByRole("textbox", { name: "Reference" }).fill("tx")
    await page.getByRole("dialog").getByRole("button", { name: "Register refund" }).click()
    await page.getByRole("dialog").getByText("This is more than the amount left to refund.").waitFor()
    expect(await page.getByLabel("Amount (USD)").getAttribute("aria-invalid")).toBe("true")
    expect(await store.knex("crypto_payment_refund").where({ request_id: paid.id })).toEqual([])
  })

  it("groups what is recorded, keeps what is technical closed, and copies every id", async () => {
    const page = await admin.visit(`/crypto-payments/${paid.id}`)
    await page.getByRole("heading", { name: "Fee and net" }).waitFor()
    await page.getByRole("heading", { name: "Customer and order" }).waitFor()
    const name = page.locator("dl").getByRole("link", { name: "Aisha Rahman" })
    expect(await name.getAttribute("href")).toMatch(/\/customers\/cus_/)
    await page.locator("dl").getByText("guest@example.test").waitFor()
    await page
      .locator("ol")
      .getByText(`#${String(paid.displayId)} · 20.01 USD`)
      .waitFor()
    const copy = (what: string) => page.getByRole("button", { name: `Copy: ${what}`, exact: true })
    expect(await copy("Payment request").isVisible()).toBe(false)
    await page.getByText("Technical details").click()
    for (const [what, value] of [
      ["Payment request", paid.paymentRequestId],
      ["Payment", paid.id],
      ["Order", String(paid.orderId)],
      ["Cart", paid.cartId],
    ] as const) {
      await copy(what).click()
      expect([what, await page.evaluate("navigator.clipboard.readText()")]).toEqual([what, value])
    }
    for (const what of ["Gateway reference", "Payment session", "Customer ID"]) {
      await copy(what).waitFor()
    }
    // Nobody is to be sent the link of what is paid.
    expect(await copy("Payment link").count()).toBe(0)
  })

  it("says in the timeline who did it, and which order was placed", async () => {
    const payment = await payments.open()
    await store.gateway.pay(payment.paymentRequestId)
    const page = await admin.visit(`/crypto-payments/${payment.id}`)
    await page.getByRole("button", { name: "Check now" }).click()
    const entry = page.locator("ol > li", { hasText: "Checked at the gateway: PAID" })
    await entry.getByText(/^By /).waitFor()
    const [order] = await store
      .knex<{ display_id: number }>("order")
      .join("order_cart", "order_cart.order_id", "order.id")
      .where("order_cart.cart_id", payment.cartId)
    const shown = page.locator("ol > li")
    await shown.getByText(`Order #${String(order?.display_id)} placed`).waitFor()
    const texts = await shown.allInnerTexts()
    const placeOf = (text: string) => texts.findIndex((entryText) => entryText.includes(text))
    expect(["Order #", "Captured:", "Paid:", "Payment link created"].map(placeOf)).toEqual(
      ["Order #", "Captured:", "Paid:", "Payment link created"].map(placeOf).sort((a, b) => a - b)
    )
  })

  it("names payment, payer and what went back before in the refund form, and takes Arabic digits", async () => {
    const payment = await payments.paid()
    const page = await admin.visit(`/crypto-payments/${payment.id}`)
    const drawer = page.getByRole("dialog")
    const register = async (amount: string, reference: string) => {
      await page.getByRole("button", { name: "Register refund" }).click()
      await drawer.getByText(`#${String(payment.displayId)}`).waitFor()
      const customer = drawer.getByRole("link", { name: "Aisha Rahman" })
      expect(await customer.getAttribute("target")).toBe("_blank")
      await drawer.getByText("guest@example.test").waitFor()
      await drawer.getByText("The order and its payment are updated at once.").waitFor()
      await drawer.getByLabel("Amount (USD)").fill(amount)
      await drawer.getByRole("textbox", { name: "Reference" }).fill(reference)
      await drawer.getByRole("button", { name: "Register refund" }).click()
    }
    await register("٢٫٠٠", "tx-2")
    await page.getByText("Refund registered", { exact: true }).waitFor()
    await page.getByText("2.00 USD of 20.01 USD refunded").waitFor()
    await register("2.00", "tx-2")
    await page.getByText("This refund is registered already").waitFor()
    await drawer.waitFor({ state: "detached" })
    await register("3.00", "tx-2")
    await drawer.getByText("This reference is already registered with another amount.").waitFor()
    expect(await drawer.getByRole("textbox", { name: "Reference" }).getAttribute("aria-invalid")).toBe("true")
    await drawer.getByText("2.00 USD of 20.01 USD refunded").waitFor()
    const refunds = await store
      .knex<Record<string, unknown>>("crypto_payment_refund")
      .where({ request_id: payment.id })
    expect(refunds).toMatchObject([{ amount: "2.00", reference: "tx-2" }])
  })

  it("says nothing of an order in the refund form of a payment without one", async () => {
    const page = await admin.visit(`/crypto-payments/${mismatched.id}`)
    await choose(page.locator("main"), "Register refund")
    await page.getByRole("dialog").getByText("The gateway cannot send refunds from here").waitFor()
    expect(await page.getByText("The order and its payment are updated").count()).toBe(0)
  })

  it("keeps an open form, its text and the focus while the page is read again, also where that fails", async () => {
    const payment = await payments.paid()
    const page = await admin.visit(`/crypto-payments/${payment.id}`)
    const address = new RegExp(`/crypto-payments/${payment.id}\\?live=false`)
    const drawer = page.getByRole("dialog")
    const readAgain = async (status: number) => {
      const checked = await holdBack(page, "**/settle")
      await choose(page.locator("main"), "Check now")
      const first = page.waitForResponse(address)
      await page.getByRole("button", { name: "Register refund" }).click()
      const reference = drawer.getByRole("textbox", { name: "Reference" })
      await reference.fill("tx-typed")
      // The form has read what is left to refund.
      await (await first).finished()
      let answers = 0
      await page.route(address, async (route) => {
        await (status === 200 ? route.continue() : route.fulfill({ status, json: {} }))
        answers += 1
      })
      checked()
      await page.getByText("Checked at the gateway", { exact: true }).first().waitFor()
      // The dashboard tries a failed read once more.
      await untilTrue(() => answers === (status === 200 ? 1 : 2))
      const notice = page.getByRole("alert", { includeHidden: true }).getByText("This could not be loaded")
      await notice.waitFor({ state: status === 200 ? "detached" : "attached" })
      const kept = [await reference.inputValue(), await hasFocus(reference)]
      expect([status, ...kept]).toEqual([status, "tx-typed", true])
    }
    await readAgain(200)
    await page.reload()
    await readAgain(500)
  })

  it("says so when there is no such payment", async () => {
    const page = await admin.visit("/crypto-payments/cpreq_none")
    await page.getByText("There is no such payment.").waitFor()
  })

  it("speaks Arabic, with figures from left to right", async () => {
    const page = await admin.visit(`/crypto-payments/${paid.id}`, { language: "ar" })
    await page.getByText(ar.detail.groups.technical).click()
    await page.getByText(ar.detail.requestId, { exact: true }).waitFor()
    expect(await page.locator("h1 bdi").getAttribute("dir")).toBe("ltr")
    await page.getByText(ar.detail.agrees).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it("tells the timeline from right to left in Arabic, in order, with its figures from left to right @deep", async () => {
    const page = await admin.visit(`/crypto-payments/${paid.id}`, { language: "ar" })
    const entries = page.locator("ol > li", { has: page.locator("time") })
    const words = { amount: "20.01 USD", number: String(paid.displayId) }
    const told = (text: string) =>
      text.replace(/\{\{(amount|number)\}\}/g, (_, name: "amount") => words[name])
    await entries.getByText(told(ar.activity.orderPlaced)).waitFor()
    const texts = await entries.locator("p:first-child").allInnerTexts()
    const { orderPlaced, captured, paid: received, created } = ar.activity
    const shown = [orderPlaced, captured, received, created].map((text) => texts.indexOf(told(text)))
    expect(shown).not.toContain(-1)
    expect(shown).toEqual(shown.toSorted((a, b) => a - b))
    const [dot, text] = [entries.first().locator("> div").first(), entries.first().locator("p").first()]
    expect((await dot.boundingBox())?.x).toBeGreaterThan((await text.boundingBox())?.x ?? NaN)
  })

  it("takes a refund in Arabic, and says its errors there @deep", async () => {
    const payment = await payments.paid()
    const page = await admin.visit(`/crypto-payments/${payment.id}`, { language: "ar" })
    await page.getByRole("button", { name: ar.actions.registerRefund }).click()
    const drawer = page.getByRole("dialog")
    await drawer.getByText(ar.refund.explain).waitFor()
    await drawer.getByText("لا يمكن التراجع عن استرداد مسجَّل").waitFor()
    const amount = drawer.getByLabel(`${ar.common.amount} (USD)`)
    expect(
      await amount.evaluate((input) => input.ownerDocument.defaultView?.getComputedStyle(input).direction)
    ).toBe("ltr")
    await amount.fill("١٠٠٫٠٠")
    await drawer.getByRole("button", { name: ar.actions.registerRefund }).click()
    await drawer.getByText(ar.refund.referenceRequired).waitFor()
    await drawer.getByRole("textbox", { name: ar.refund.reference }).fill("tx-عربي")
    await drawer.getByRole("button", { name: ar.actions.registerRefund }).click()
    await drawer.getByText(ar.problems.refund_too_large).waitFor()
    expect(await accessibilityFaults(page, "[role=dialog]")).toEqual([])
    await amount.fill("١٫٥٠")
    await drawer.getByRole("button", { name: ar.actions.registerRefund }).click()
    await page.getByText(ar.refund.done, { exact: true }).waitFor()
    const refunds = store.knex("crypto_payment_refund").where({ request_id: payment.id })
    expect(await refunds.select("amount", "reference")).toEqual([{ amount: "1.50", reference: "tx-عربي" }])
  })

  it.each(["light", "dark"] as const)("has no serious accessibility fault, %s", async (theme) => {
    const page = await admin.visit(`/crypto-payments/${mismatched.id}`, { theme })
    await page.getByRole("region", { name: "Gateway's record" }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it("has no serious accessibility fault in the refund form", async () => {
    const page = await admin.visit(`/crypto-payments/${mismatched.id}`)
    await choose(page.locator("main"), "Register refund")
    await page.getByRole("textbox", { name: "Reference" }).waitFor()
    expect(await accessibilityFaults(page, "[role=dialog]")).toEqual([])
  })
})
