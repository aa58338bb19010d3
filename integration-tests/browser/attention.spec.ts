import type { Page } from "playwright-core"
import ar from "../../src/admin/i18n/ar.json"
import en from "../../src/admin/i18n/en.json"
import { OrderChanges } from "../support/order-changes"
import { waitUntil } from "../support/wait-until"
import { accessibilityFaults, choose } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"
import type { MadePayment } from "./support/payments"

describeAdmin("the attention list", ({ admin, payments, store }) => {
  const caseOf = (page: Page, { id }: MadePayment) => page.getByRole("article", { name: id })
  const rowOf = async ({ id }: MadePayment) =>
    await store.knex<Record<string, unknown>>("crypto_payment_request").where({ id }).first()

  beforeEach(async () => await payments.closeCases())

  /** Open cases that have waited longer than this one: copies of it, one for each minute. */
  const withOlderCases = async ({ id }: MadePayment, count: number, use: () => Promise<void>) => {
    const row = await rowOf({ id } as MadePayment)
    const copies = Array.from({ length: count }, (_, index) => ({
      ...row,
      id: `cpreq_older_${String(index)}`,
      payment_request_id: `older-${String(index)}`,
      session_ids: [],
      next_check_at: null,
      attention_since: new Date(Date.now() - (index + 1) * 60_000),
    }))
    await store.knex("crypto_payment_request").insert(copies)
    try {
      await use()
    } finally {
      await store.knex("crypto_payment_request").where("id", "like", "cpreq_older_%").delete()
    }
  }

  it("counts the open cases in the side bar and on the tab", async () => {
    await payments.mismatched()
    const [open] = await store
      .knex("crypto_payment_request")
      .whereNotNull("attention_reason")
      .whereNull("attention_resolved_at")
      .count<{ count: string }[]>()
    const count = Number(open?.count)
    const page = await admin.visit("/crypto-payments")
    await page.getByRole("tab", { name: `Attention ${String(count)}` }).waitFor()
    const said = count === 1 ? "1 case needs attention" : `${String(count)} cases need attention`
    await page.getByText(said).first().waitFor({ state: "attached" })
  })

  it("is one step of the browser's history from the list", async () => {
    const page = await admin.visit("/crypto-payments")
    await page.getByRole("tab", { name: "Attention" }).click()
    await page.getByRole("heading", { name: "Attention" }).waitFor()
    await page.goBack()
    expect(new URL(page.url()).searchParams.get("tab")).toBe(null)
    await page.getByRole("heading", { name: "Attention" }).waitFor({ state: "detached" })
  })

  it("is told of in the admin's bell", async () => {
    const payment = await payments.mismatched()
    const of = store.knex("notification").whereRaw("data ->> 'id' = ?", payment.id)
    await waitUntil(
      async () => await of.clone().select("id"),
      ({ length }) => length === 1
    )
    const page = await admin.visit("/crypto-payments?tab=attention")
    await caseOf(page, payment).waitFor()
    await page.keyboard.press("Control+n")
    const bell = page.getByRole("dialog", { name: "Notifications" })
    await bell.getByText("Crypto payment: Amount differs").first().waitFor()
    await bell
      .getByText("5.00 USD received, 20.01 USD requested. Open Crypto payments, Attention.")
      .first()
      .waitFor()
  })

  it("names the customer of a case", async () => {
    const payment = await payments.orphaned()
    const page = await admin.visit("/crypto-payments?tab=attention&reason=orphan_paid")
    await caseOf(page, payment).getByRole("link", { name: "Aisha Rahman" }).waitFor()
    await caseOf(page, payment).getByText("guest@example.test").waitFor()
  })

  it("does not say that nothing needs attention when only this reason has no case", async () => {
    await payments.orphaned()
    const page = await admin.visit("/crypto-payments?tab=attention&reason=order_overpaid")
    await page.getByText("No cases with this reason").waitFor()
    expect(await page.getByText("Nothing needs your attention").count()).toBe(0)
  })

  it("says what happened and what to do, in words", async () => {
    const payment = await payments.orphaned()
    const page = await admin.visit("/crypto-payments?tab=attention&reason=orphan_paid")
    const found = caseOf(page, payment)
    await found.getByText("no longer asks for that amount").waitFor()
    await found.getByText("register the refund").waitFor()
  })

  it("shows the received amount next to the requested amount, where they differ", async () => {
    const tooLittle = await payments.mismatched({ amount: "0.01" })
    const otherCurrency = await payments.mismatched({ currencySymbol: "AED" })
    const orphaned = await payments.orphaned()
    const page = await admin.visit("/crypto-payments?tab=attention")
    await caseOf(page, tooLittle).getByText("0.01 USD paid, 20.01 USD requested").waitFor()
    await caseOf(page, otherCurrency).getByText("20.01 AED paid, 20.01 USD requested").waitFor()
    await caseOf(page, orphaned).getByText("20.01 USD", { exact: true }).waitFor()
  })

  it.each([
    [{ amount: "0.01" }, "Amount (USD)", "0.01"],
    [{ currencySymbol: "AED" }, "Amount (AED)", "20.01"],
  ])("offers to register what came as refunded: %j", async (came, label, amount) => {
    const payment = await payments.mismatched(came)
    const page = await admin.visit("/crypto-payments?tab=attention")
    await choose(caseOf(page, payment), "Register refund")
    await page.getByText("can be registered").waitFor()
    expect(await page.getByLabel(label).inputValue()).toBe(amount)
  })

  it.each([
    [{ amount: "5.00" }, "15.01 USD too little was paid.", "order_underpaid", "15.01"],
    [{ amount: "25.00" }, "4.99 USD too much was paid.", "order_overpaid", "4.99"],
  ])("makes a draft order of %j, in two clicks", async (came, words, reason, sum) => {
    const payment = await payments.mismatched(came)
    const page = await admin.visit("/crypto-payments?tab=attention&reason=amount_mismatch")
    await caseOf(page, payment).getByText(words).waitFor()
    await caseOf(page, payment).getByRole("button", { name: "Create draft order" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Create draft order" }).click()
    await page.getByText("Draft order created").waitFor()
    expect(await rowOf(payment)).toMatchObject({
      state: "captured",
      attention_reason: reason,
      attention_amount: sum,
    })
  })

  it("uses received money for an order that is searched, once it is confirmed that it was not sent back", async () => {
    const payment = await payments.orphaned()
    const orderId = await new OrderChanges(store).draft({ quantity: 2, email: "other@example.test" })
    const { display_id } = await store.knex("order").where({ id: orderId }).first("display_id")
    const page = await admin.visit("/crypto-payments?tab=attention&reason=orphan_paid")
    await choose(caseOf(page, payment), "Use for an order")
    const drawer = page.getByRole("dialog")
    await drawer.getByLabel("Search").fill(`#${String(display_id)}`)
    const found = drawer.getByRole("radio", { checked: true })
    await found.waitFor()
    await drawer.getByText("Owes 30.02 USD, and 10.01 USD after this payment.").waitFor()
    expect(await drawer.getByRole("radio").count()).toBe(1)
    expect(await accessibilityFaults(page)).toEqual([])
    await drawer.getByRole("button", { name: "Use for an order" }).click()
    const question = page.getByRole("alertdialog")
    for (const words of [
      `Use 20.01 USD for order #${String(display_id)} (other@example.test)? It then still owes 10.01 USD.`,
      "The payer is another one: ",
      "This cannot be undone. Do it only if the money was not sent back.",
    ]) {
      await question.getByText(words).waitFor()
    }
    await question.getByRole("button", { name: "Use for an order" }).click()
    await page.getByText("The payment is used for the order").waitFor()
    await caseOf(page, payment).waitFor({ state: "detached" })
    expect(await rowOf(payment)).toMatchObject({
      state: "captured",
      order_id: orderId,
      attention_reason: null,
    })
    const detail = await admin.visit(`/crypto-payments/${payment.id}`)
    const entry = (words: string) => detail.locator("li", { hasText: words })
    await entry("Used for order")
      .getByRole("link", { name: `#${String(display_id)}`, exact: true })
      .waitFor()
    await entry("Given to another payment session").waitFor()
    for (const words of ["Link given", " placed"]) {
      expect([words, await entry(words).count()]).toEqual([words, 0])
    }
  })

  it("says it in Arabic too", async () => {
    const payment = await payments.mismatched({ currencySymbol: "AED" })
    const page = await admin.visit("/crypto-payments?tab=attention&reason=amount_mismatch", {
      language: "ar",
    })
    await caseOf(page, payment)
      .getByText("دُفع \u206620.01 AED\u2069 والمطلوب \u206620.01 USD\u2069. لم يُقدَّم طلب.")
      .waitFor()
    // Each figure from left to right by itself.
    await caseOf(page, payment)
      .getByText("دُفع \u206620.01 AED\u2069 والمطلوب \u206620.01 USD\u2069", { exact: true })
      .waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it("shows the cases of one reason when it is chosen", async () => {
    const mismatched = await payments.mismatched()
    const orphaned = await payments.orphaned()
    const page = await admin.visit("/crypto-payments?tab=attention")
    await caseOf(page, mismatched).waitFor()
    await page.getByRole("combobox", { name: "Reason" }).click()
    await page.getByRole("option", { name: "Paid for an outdated cart" }).click()
    await caseOf(page, mismatched).waitFor({ state: "detached" })
    await caseOf(page, orphaned).waitFor()
    expect(new URL(page.url()).searchParams.get("reason")).toBe("orphan_paid")
  })

  it("does not resolve a case without a note", async () => {
    const payment = await payments.mismatched()
    const page = await admin.visit("/crypto-payments?tab=attention")
    await choose(caseOf(page, payment), "Resolve")
    const drawer = page.getByRole("dialog")
    await drawer.getByRole("button", { name: "Resolve" }).click()
    await drawer.getByText("Describe what was done.").waitFor()
    expect((await rowOf(payment))?.["attention_resolved_at"]).toBeNull()
  })

  it("takes a resolved case off the list, with its note in the ledger", async () => {
    const payment = await payments.mismatched()
    const page = await admin.visit("/crypto-payments?tab=attention")
    await choose(caseOf(page, payment), "Resolve")
    await page.getByLabel("What was done").fill("Sent by bank transfer")
    await page.getByRole("dialog").getByRole("button", { name: "Resolve" }).click()
    await page.getByText("Case resolved").waitFor()
    await caseOf(page, payment).waitFor({ state: "detached" })
    expect((await rowOf(payment))?.["attention_note"]).toBe("Sent by bank transfer")
  })

  it("says in Arabic that somebody else resolved it, and keeps what was written", async () => {
    const payment = await payments.mismatched()
    const page = await admin.visit("/crypto-payments?tab=attention", { language: "ar" })
    await choose(caseOf(page, payment), ar.actions.resolve, ar.actions.more)
    await page.getByLabel(ar.resolve.note).fill("Sent by bank transfer")
    await store
      .knex("crypto_payment_request")
      .where({ id: payment.id })
      .update({ attention_resolved_at: new Date(), attention_note: "By somebody else" })
    await page.getByRole("dialog").getByRole("button", { name: ar.actions.resolve }).click()
    await page.getByText(ar.problems.no_open_case).waitFor()
    expect(await page.getByLabel(ar.resolve.note).inputValue()).toBe("Sent by bank transfer")
    expect((await rowOf(payment))?.["attention_note"]).toBe("By somebody else")
  })

  it("shows the oldest cases first, and the newest on the last page", async () => {
    const payment = await payments.mismatched()
    await withOlderCases(payment, 10, async () => {
      const page = await admin.visit("/crypto-payments?tab=attention&reason=amount_mismatch")
      await page.getByText("1 – 10 of 11").waitFor()
      expect(await page.getByRole("article").first().getAttribute("aria-label")).toBe("cpreq_older_9")
      await page.getByRole("button", { name: "Next" }).click()
      await caseOf(page, payment).waitFor()
      expect(new URL(page.url()).searchParams.get("offset")).toBe("10")
    })
  })

  it("goes back to the page before when the last case of a page is resolved", async () => {
    const payment = await payments.mismatched()
    await withOlderCases(payment, 10, async () => {
      const page = await admin.visit("/crypto-payments?tab=attention&reason=amount_mismatch&offset=10")
      await choose(caseOf(page, payment), "Resolve")
      await page.getByLabel("What was done").fill("Sent by bank transfer")
      await page.getByRole("dialog").getByRole("button", { name: "Resolve" }).click()
      await page.getByRole("article", { name: "cpreq_older_9" }).waitFor()
    })
  })

  it("is one group for many cases of a reason: one advice, a count, and what each has of its own", async () => {
    const payment = await payments.mismatched({ amount: "5.00" })
    const alone = await payments.orphaned()
    await withOlderCases(payment, 4, async () => {
      const page = await admin.visit("/crypto-payments?tab=attention")
      const group = page.getByRole("region", { name: "Amount differs" })
      await group.getByRole("heading", { name: "Amount differs" }).waitFor()
      await group.getByText("5", { exact: true }).waitFor()
      expect(await group.getByText("What to do").count()).toBe(1)
      expect(await group.getByRole("article").count()).toBe(3)
      expect(await group.getByText("15.01 USD too little was paid.").count()).toBe(3)
      // A group of one is a single case.
      await caseOf(page, alone).getByText("What to do").waitFor()
      expect(await page.getByRole("heading", { name: "Paid for an outdated cart" }).count()).toBe(0)
      expect(await accessibilityFaults(page)).toEqual([])
      await group.getByRole("button", { name: "Show all 5" }).click()
      await caseOf(page, payment).waitFor()
      expect(new URL(page.url()).searchParams.get("reason")).toBe("amount_mismatch")
      expect(await page.getByText("What to do").count()).toBe(1)
    })
  })

  it("offers one button for each case, and everything else in a menu that is named, in both directions", async () => {
    const payment = await payments.mismatched({ amount: "5.00" })
    for (const [language, texts] of Object.entries({ en, ar })) {
      const page = await admin.visit("/crypto-payments?tab=attention", { language: language as "en" | "ar" })
      const buttons = caseOf(page, payment).getByRole("button")
      await buttons.nth(1).waitFor()
      expect(await buttons.count()).toBe(2)
      expect(await buttons.first().innerText()).toBe(texts.actions.makeDraft)
      await caseOf(page, payment).getByRole("button", { name: texts.actions.more }).click()
      const { registerRefund, check, use, resolve } = texts.actions
      expect(await page.getByRole("menuitem").allInnerTexts()).toEqual([registerRefund, check, use, resolve])
      expect(await page.getByRole("menu").getAttribute("dir")).toBe(language === "ar" ? "rtl" : "ltr")
      expect(await accessibilityFaults(page, "[role=menu]")).toEqual([])
    }
  })

  it.each(["light", "dark"] as const)("has no serious accessibility fault, %s", async (theme) => {
    const payment = await payments.mismatched()
    const page = await admin.visit("/crypto-payments?tab=attention", { theme })
    await caseOf(page, payment).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
