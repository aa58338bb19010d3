import { createHash } from "node:crypto"
import { Client } from "pg"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { settingsDesk } from "../../support/admin-api"
import { readCollectionEnd } from "../../support/end-state"
import { everythingHeard } from "../../support/heard-events"
import { PayPages, STORE_URL, WITH_PUBLIC_URL } from "../../support/pay-page"
import { payAndNotify, placePaidOrder } from "../../support/paid-checkout"
import { nothingIsDue, settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

const BUTTON = "Pay with crypto"
const ADDRESS = /^https:\/\/store\.example\/backend\/crypto-payments\/pay\/([\w-]{43})$/

describeStore(
  "a pay page",
  (store) => {
    const pages = new PayPages(store)
    const rows = () => store.knex("crypto_payment_request")
    const settled = async (id: string) =>
      await waitUntil(
        async () => await rows().where({ id }).first(),
        ({ settled_at, attention_reason }) => settled_at !== null || attention_reason !== null
      )
    /** Everything of the plugin's that a visitor could change. */
    const traces = async (): Promise<unknown> => [
      await rows().orderBy("id"),
      await store.knex("crypto_payment_page").orderBy("id"),
      await store.knex("crypto_payment_activity").orderBy("id").select("id"),
      await store.knex("payment_session").orderBy("id").select("id", "deleted_at"),
      await store.knex("payment_collection").orderBy("id").select("id", "amount"),
      await store.gateway.calls(),
    ]
    /** What this process sends to Postgres meanwhile. */
    async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
      await store.untilQuiet()
      const query = jest.spyOn(Client.prototype, "query")
      try {
        await work()
        return query.mock.calls.map(([asked]) =>
          typeof asked === "string" ? asked : String((asked as { text?: unknown } | undefined)?.text)
        )
      } finally {
        query.mockRestore()
      }
    }
    /** A paid order of 20.01 was raised to 35.02. */
    async function raisedOrder(): Promise<string> {
      const { orderId } = await placePaidOrder(store)
      await pages.changes.raise(orderId)
      return orderId
    }
    const orderIs = async (orderId: string, columns: Record<string, unknown>): Promise<void> => {
      await store.knex("order").where({ id: orderId }).update(columns)
    }

    describe("address", () => {
      it("is the same each time, at the store's public address, and can be read nowhere in the database", async () => {
        const orderId = await pages.draft()
        const { status, data } = await pages.give(orderId)
        expect([status, data]).toEqual([200, { url: expect.stringMatching(ADDRESS), expires_at: null }])
        expect(await pages.of(orderId)).toBe(data.url)

        const token = String(ADDRESS.exec(data.url)?.[1])
        const stored = await store.knex("crypto_payment_page").select()
        expect(stored).toMatchObject([
          {
            order_id: orderId,
            provider_id: "pp_crypto_default",
            token_digests: [createHash("sha256").update(token).digest("hex")],
          },
        ])
        expect(JSON.stringify(stored)).not.toContain(token)
      })

      it("is of the store and not of the Host that asks for it", async () => {
        const orderId = await pages.draft()
        const { headers } = await store.admin()
        const path = `/admin/crypto-payments/orders/${orderId}/pay-page`
        const evil = { ...headers, "x-forwarded-host": "evil.example", host: "evil.example" }
        const { data } = await store.http.post(path, {}, { headers: evil })
        expect(data.url).toMatch(ADDRESS)
      })

      it("opens its own order only, and ends when the merchant resets it", async () => {
        const urls = [await pages.of(await pages.draft(1)), await pages.of(await pages.draft(2))] as const
        expect(await pages.read(urls[0])).toContain("15.01 USD")
        expect(await pages.read(urls[1])).toContain("30.02 USD")

        const [first] = await store.knex("crypto_payment_page").orderBy("created_at").pluck("order_id")
        const url = await pages.of(first as string, { reset: true })
        expect(url).not.toBe(urls[0])
        expect((await pages.get(urls[0])).status).toBe(404)
        expect((await pages.pay(urls[0])).status).toBe(404)
        expect(await pages.read(url)).toContain("15.01 USD")
        expect((await pages.get(urls[1])).status).toBe(200)
      })

      it("is one when two merchants reset it at once while a payer pays", async () => {
        const orderId = await pages.draft()
        const former = await pages.of(orderId)
        const answers = await Promise.all([
          pages.pay(former),
          pages.give(orderId, { reset: true }),
          pages.give(orderId, { reset: true }),
        ])
        expect(answers.map(({ status }) => status)).toEqual([expect.any(Number), 200, 200])
        expect([303, 404]).toContain(answers[0].status)
        expect(await store.knex("crypto_payment_page").pluck("order_id")).toEqual([orderId])
        expect((await pages.get(former)).status).toBe(404)
        expect(await pages.read(await pages.of(orderId))).toContain(BUTTON)
      })

      it("that was sent stays good when the store's secret changes, and the next one is another", async () => {
        const orderId = await pages.draft()
        const sent = await pages.of(orderId)
        const { payPages } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
        const { http } = payPages["config"].projectConfig ?? {}
        if (http === undefined) {
          throw new Error("the store has no secret")
        }
        const { cookieSecret } = http
        http.cookieSecret = "another secret"
        try {
          const other = await pages.of(orderId)
          expect(other).not.toBe(sent)
          expect(await pages.of(orderId)).toBe(other)
          expect((await pages.get(sent)).status).toBe(200)
          expect((await pages.get(other)).status).toBe(200)
          await pages.of(orderId, { reset: true })
          expect((await pages.get(sent)).status).toBe(404)
          expect((await pages.get(other)).status).toBe(404)
        } finally {
          Object.assign(http, { cookieSecret })
        }
      })

      it.each([
        ["an order that does not exist", "order_1", {}, 404],
        ["a provider that is not registered", undefined, { provider_id: "pp_crypto_other" }, 404],
        ["a field that there is not", undefined, { order: "x" }, 400],
        ["a reset that is no answer", undefined, { reset: "yes" }, 400],
      ])("is refused for %s", async (_, orderId, body, expected) => {
        expect((await pages.give(orderId ?? (await pages.draft()), body)).status).toBe(expected)
        expect(await store.knex("crypto_payment_page").select()).toEqual([])
      })
    })

    describe("GET", () => {
      it("shows what a draft order costs, its number and the shop, and nothing else of it", async () => {
        const orderId = await pages.draft()
        const url = await pages.of(orderId)
        const { display_id } = await store.knex("order").where({ id: orderId }).first("display_id")
        const { name } = await store.knex("store").first("name")
        const words = await pages.read(url)
        expect(words).toContain(`Order #${String(display_id)}`)
        expect(words).toContain("15.01 USD")
        expect(words).toContain(BUTTON)
        expect(words).toContain(String(name))
        const { data } = await pages.get(url)
        expect(data).not.toMatch(new RegExp(`${orderId}|guest@example\\.test|pp_crypto|pay_col_`))
        expect(Buffer.byteLength(data)).toBeLessThan(15_000)
      })

      it("shows the new sum of an order that was raised, and nothing of its customer", async () => {
        const orderId = await raisedOrder()
        const url = await pages.of(orderId)
        expect(await pages.read(url)).toContain("15.01 USD")
        await pages.changes.raise(orderId)
        expect(await pages.read(url)).toContain("30.02 USD")
        const { data } = await pages.get(url)
        expect(data).not.toMatch(new RegExp(`${orderId}|guest@example|Aisha|Rahman|Creek`))
      })

      it("says that an order is paid, when and with which reference", async () => {
        const { orderId, id } = await placePaidOrder(store)
        await rows().where({ id }).update({ ref_id: "REF-<1>" })
        const words = await pages.read(await pages.of(orderId))
        expect(words).toContain("Nothing is left to pay for this order.")
        expect(words).toMatch(/Paid on .* UTC/)
        expect(words).toContain("REF-&#60;1&#62;")
        expect(words).not.toContain(BUTTON)
      })

      const changed: [string, Record<string, unknown>, string][] = [
        ["cancelled", { status: "canceled", canceled_at: new Date() }, "This order was cancelled."],
        ["deleted", { deleted_at: new Date() }, "This order does not exist any more."],
        ["archived", { status: "archived" }, "The shop has closed this order."],
        ["in a currency that crypto does not take", { currency_code: "eur" }, "do not take the currency"],
      ]

      it.each(changed)(
        "says so of an order that is %s, and POST leads back to it",
        async (_, columns, words) => {
          const orderId = await pages.draft()
          const url = await pages.of(orderId)
          await orderIs(orderId, columns)
          await expectNoWayToPay(url, words)
        }
      )

      it("says of a deleted order that was paid that the shop looks at it", async () => {
        const orderId = await pages.draft()
        const url = await pages.of(orderId)
        const { id, payment_request_id } = await pages.link(url)
        await payAndNotify(store, payment_request_id)
        await settled(id)
        await orderIs(orderId, { deleted_at: new Date() })
        await settleDue(store)
        await expectNoWayToPay(url, "Do not pay again")
      })

      it.each([
        ["its provider is gone", { provider_id: "pp_crypto_gone" }],
        ["the store is paused", {}],
      ])("says that crypto is not available while %s", async (why, columns) => {
        const url = await pages.of(await pages.draft())
        await store.knex("crypto_payment_page").update({ ...columns, updated_at: new Date() })
        if (why === "the store is paused") {
          process.env["CRYPTO_PAYMENTS_PAUSED"] = "true"
        }
        try {
          await expectNoWayToPay(url, "Crypto payments are not available in this shop at the moment.")
        } finally {
          delete process.env["CRYPTO_PAYMENTS_PAUSED"]
        }
      })

      /** A read has shown that somebody is paying. */
      async function beginToPay(url: string, word = "PENDING"): ReturnType<PayPages["link"]> {
        const link = await pages.link(url)
        await store.gateway.setStatus(link.payment_request_id, word)
        await rows()
          .where({ id: link.id })
          .update({ next_check_at: new Date(0) })
        await settleDue(store)
        return link
      }

      it("says that a payment is being confirmed once somebody has begun to pay", async () => {
        const url = await pages.of(await pages.draft())
        const { id } = await beginToPay(url)
        const words = await pages.read(url)
        expect(words).toContain("Payment is being confirmed 15.01 USD")
        expect(words).toContain("Go back to the payment page")
        expect((await pages.link(url)).id).toBe(id)
      })

      it("says so of a word that nobody knows until an admin user has closed its case", async () => {
        const url = await pages.of(await pages.draft())
        const { id } = await beginToPay(url, "COMPLETED")
        await rows()
          .where({ id })
          .update({ status_since: store.knex.raw("now() - interval '2 days'"), next_check_at: new Date(0) })
        await settleDue(store)
        expect(await rows().where({ id }).first()).toMatchObject({ attention_reason: "gateway_unclear" })
        expect(await pages.read(url)).toContain("Payment is being confirmed 15.01 USD")
        await pages.changes.must(`/crypto-payments/${String(id)}/resolve`, { note: "Nothing was paid." })
        expect(await pages.read(url)).toContain(BUTTON)
      })

      it("offers no way back to a link that asks for what was owed before", async () => {
        const orderId = await raisedOrder()
        const url = await pages.of(orderId)
        const { id } = await beginToPay(url)
        await pages.changes.raise(orderId)
        await everythingHeard(store)
        await nothingIsDue(store)
        await expectNoWayToPay(url, "Payment is being confirmed 15.01 USD")
        // Nobody is kept from paying by one who began a day ago and left.
        await rows()
          .where({ id })
          .update({ status_since: store.knex.raw("now() - interval '1 day'") })
        expect(await pages.read(url)).toContain("30.02 USD")
        expect((await pages.link(url)).amount).toBe("30.02")
      })

      it("says that a payment is being checked, and not to pay again, while it has a case", async () => {
        store.leavesDamage("the case is written into the database")
        const orderId = await pages.draft()
        const url = await pages.of(orderId)
        const { id } = await pages.link(url)
        const paid_at = new Date()
        await rows()
          .where({ id })
          .update({ state: "paid", paid_at, attention_reason: "amount_mismatch", attention_since: paid_at })
        await expectNoWayToPay(url, "the shop is checking it. Do not pay again.")
        // Whose money arrived must not read of the cancelled order alone.
        await orderIs(orderId, { status: "canceled", canceled_at: new Date() })
        await expectNoWayToPay(url, "the shop is checking it. Do not pay again.")
        await orderIs(orderId, { status: "pending", canceled_at: null })
        await rows().where({ id }).update({ attention_resolved_at: new Date(), next_check_at: null })
        expect(await pages.read(url)).toContain(BUTTON)
      })

      it.each([
        ["was captured", async (id: string) => await payAndNotify(store, id)],
        ["is reported", async (id: string) => await store.gateway.notify(id, { status: "PAID" })],
      ])("says of a cancelled order whose payment %s that it is being checked", async (_, happens) => {
        store.leavesDamage("the order is cancelled in the database")
        const orderId = await pages.draft()
        const url = await pages.of(orderId)
        const { payment_request_id } = await pages.link(url)
        await happens(payment_request_id)
        await settleDue(store)
        await orderIs(orderId, { status: "canceled", canceled_at: new Date() })
        await expectNoWayToPay(url, "the shop is checking it. Do not pay again.")
      })

      it("says that another payment is under way while another provider's is authorized", async () => {
        store.leavesDamage("the other provider's payment is written into the database")
        const orderId = await pages.draft()
        const url = await pages.of(orderId)
        const { payment_collection_id, session_id, id } = await pages.link(url)
        await rows().where({ id }).delete()
        await store.knex("payment").insert({
          id: "pay_other",
          amount: 15.01,
          raw_amount: { value: "15.01", precision: 20 },
          currency_code: "usd",
          provider_id: "pp_card",
          payment_collection_id,
          payment_session_id: session_id,
        })
        await expectNoWayToPay(url, "Another payment of this order is under way.")
      })

      async function expectNoWayToPay(url: string, words: string): Promise<void> {
        const read = await pages.read(url)
        expect(read).toContain(words)
        expect(read).not.toContain(BUTTON)
        await store.untilQuiet()
        const before = await traces()
        const { status, headers } = await pages.pay(url)
        expect([status, headers["location"]]).toEqual([303, "?"])
        expect(await traces()).toEqual(before)
      }

      it("lists the items with their sums only if the merchant lets it", async () => {
        const orderId = await raisedOrder()
        const url = await pages.of(orderId)
        expect(await pages.read(url)).not.toContain(" × ")
        const desk = settingsDesk(store)
        await desk.get() // Forgets what the test before had saved.
        expect((await desk.post({ version: 0, show_items: true })).status).toBe(200)
        const listed = async () => (await pages.read(url)).match(/\d+ × [^×]+? [\d.]+ USD/g)
        const line = expect.stringMatching(/^1 × \S.* 15\.01 USD$/)
        expect(await listed()).toEqual([line, line])
        const [item] = await pages.changes.items(orderId)
        const removed = { id: String(item?.id), quantity: 0, unit_price: 15.01 }
        await pages.changes.reprice(orderId, [removed])
        expect(await listed()).toEqual([line])
        expect((await pages.get(url)).data).not.toMatch(
          new RegExp(`${orderId}|guest@example|Aisha|Rahman|Creek`)
        )
      })

      it("leads back to the shop that medusa-config names, else to where payers of carts return", async () => {
        const { orderId } = await placePaidOrder(store)
        const url = await pages.of(orderId)
        const { payPages } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
        const admin = (payPages["config"].admin ??= {})
        const linkOf = async () => /<a href="(http[^"]*)"/.exec((await pages.get(url)).data)?.[1]
        expect(await linkOf()).toBe("http://localhost:8000")
        Object.assign(admin, { storefrontUrl: "https://shop.example/ae" })
        try {
          expect(await linkOf()).toBe("https://shop.example/ae")
        } finally {
          delete admin.storefrontUrl
        }
      })

      it("may be stored by nobody, shows its address to nobody, and runs no script but its own", async () => {
        const { headers } = await pages.get(await pages.of(await pages.draft()))
        expect(Object.fromEntries(Object.entries(headers))).toMatchObject({
          "cache-control": "no-store",
          "x-robots-tag": "noindex",
          "referrer-policy": "no-referrer",
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": expect.stringMatching(
            /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+';/
          ),
        })
        expect(headers).not.toHaveProperty("access-control-allow-origin")
        expect(headers).not.toHaveProperty("set-cookie")
      })

      it.each([
        ["English by default", "", {}, "en"],
        ["the browser's language", "", { "accept-language": "fr, ar-AE;q=0.9, en;q=0.8" }, "ar"],
        ["English where the browser has neither", "", { "accept-language": "fr" }, "en"],
        ["the language of its address before the browser's", "?lang=ar", { "accept-language": "en" }, "ar"],
        [
          "the browser's language for one that it does not have",
          "?lang=xx",
          { "accept-language": "ar" },
          "ar",
        ],
        ["English for what is no language", "?lang[]=ar&lang[x]=1", { "accept-language": ";;=\u00e9" }, "en"],
      ])("is in %s", async (_, query, headers, language) => {
        const { status, data } = await pages.get(`${await pages.of(await pages.draft())}${query}`, headers)
        expect(status).toBe(200)
        expect(data).toContain(`<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">`)
      })

      it("a hundred times, by scanners of mails and previews of links, makes nothing and asks no gateway", async () => {
        const url = await pages.of(await pages.draft())
        await pages.link(url)
        const before = await traces()
        const fiftyTimes = async (ask: (url: string) => Promise<{ status: number }>) =>
          await statementsOf(async () => {
            for (let n = 0; n < 50; n++) {
              expect((await ask(url)).status).toBe(200)
            }
          })
        const [read, asked] = [await fiftyTimes(pages.get), await fiftyTimes(pages.head)]
        expect(await traces()).toEqual(before)
        expect([...read, ...asked].filter((text) => !/^\s*(with|select)/i.test(text))).toEqual([])
        // Settings are read once in two seconds, however many pages are.
        const ofPages = read.filter((text) => !text.includes("crypto_payment_setting"))
        const own = ofPages.filter((text) => text.includes("crypto_payment_page"))
        // Core's are two of the order's total, and one of the shop's name.
        expect([own.length, ofPages.length, asked.length]).toEqual([50, 200, 50])
      })

      it.each([
        "",
        "x",
        "a".repeat(42),
        "a".repeat(44),
        "a".repeat(3000),
        "%20".repeat(43),
        "ع".repeat(43),
        "..%2f",
      ])("answers 404 to what cannot be a token, without a statement: %j", async (token) => {
        const statements = await statementsOf(async () => {
          const { status } = await pages.get(`${STORE_URL}/crypto-payments/pay/${encodeURI(token)}`)
          expect(status).toBe(404)
        })
        expect(statements).toEqual([])
      })

      it("answers a wrong token and an ended one alike, with one statement", async () => {
        const orderId = await pages.draft()
        const ended = await pages.of(orderId)
        await pages.of(orderId, { reset: true })
        const answers: unknown[] = []
        for (const url of [ended, `${STORE_URL}/crypto-payments/pay/${"a".repeat(43)}`]) {
          for (const method of ["get", "pay"] as const) {
            const statements = await statementsOf(async () => {
              const { status, data } = await pages[method](url)
              answers.push([status, data])
            })
            expect(statements).toHaveLength(1)
          }
          const statements = await statementsOf(async () => {
            expect((await pages.head(url)).status).toBe(404)
          })
          expect(statements).toHaveLength(1)
        }
        expect(answers).toEqual(Array.from({ length: 4 }, () => answers[0]))
        expect(answers[0]).toEqual([404, expect.stringContaining("This page does not exist")])
      })

      it("opens nothing by the order's id", async () => {
        const orderId = await pages.draft()
        await pages.of(orderId)
        expect((await pages.get(`${STORE_URL}/crypto-payments/pay/${orderId}`)).status).toBe(404)
      })
    })

    describe("POST", () => {
      it("leads to a link that returns to the page, and its payment is captured once on the order", async () => {
        const orderId = await pages.draft()
        const url = await pages.of(orderId)
        const row = await pages.link(url)
        expect(row).toMatchObject({ state: "open", amount: "15.01", cart_id: null })
        expect(await store.gateway.calls("POST")).toMatchObject([
          { body: { amount: "15.01", symbol: "USD", ipn_success_url: url, ipn_failed_url: url } },
        ])
        expect((await pages.get(url)).data).toContain('data-refresh="true"')

        await payAndNotify(store, row.payment_request_id)
        expect(await settled(row.id)).toMatchObject({
          state: "captured",
          order_id: orderId,
          attention_reason: null,
        })
        expect(await readCollectionEnd(store.knex, row.payment_collection_id)).toEqual({
          status: "completed",
          captured: "15.01",
          refunded: "0.00",
          captures: ["15.01"],
        })
        const transactions = await store.knex("order_transaction").where({ order_id: orderId })
        expect(transactions.map(({ amount }) => Number(amount))).toEqual([15.01])
        expect(await pages.read(url)).toContain("Nothing is left to pay for this order.")
      })

      it("twenty times at once makes one link", async () => {
        const url = await pages.of(await pages.draft())
        const answers = await Promise.all(Array.from({ length: 20 }, async () => await pages.pay(url)))
        const links = new Set(
          answers.map(({ status, headers }) => `${status} ${String(headers["location"])}`)
        )
        const made = await rows().select("payment_link", "state")
        expect([...links]).toEqual([`303 ${String(made[0]?.payment_link)}`])
        expect(made).toHaveLength(1)
        expect(await store.gateway.payments()).toHaveLength(1)
      })

      it("again and again makes nothing, also in a store that does not reuse open links", async () => {
        const desk = settingsDesk(store)
        await desk.get() // Forgets what the test before had saved.
        expect((await desk.post({ version: 0, reuse_open_links: false })).status).toBe(200)
        const url = await pages.of(await pages.draft())
        const answers = await Promise.all(Array.from({ length: 5 }, async () => await pages.pay(url)))
        expect(new Set(answers.map(({ headers }) => String(headers["location"]))).size).toBe(1)
        const { session_ids } = await pages.link(url)
        expect(session_ids).toHaveLength(1)
        expect(await store.gateway.payments()).toHaveLength(1)
      })

      it("again gives the open link, with two calls of the gateway at most", async () => {
        const url = await pages.of(await pages.draft())
        const { payment_link } = await pages.link(url)
        await store.gateway.clearCalls()
        expect((await pages.link(url)).payment_link).toBe(payment_link)
        const calls = await store.gateway.calls()
        expect(calls.length).toBeLessThanOrEqual(2)
        expect(calls.every(({ method }) => method === "GET")).toBe(true)
      })

      it("leads to the sum that it names, also while a collection of the order asks for a part", async () => {
        const orderId = await raisedOrder()
        const collectionId = await pages.changes.collection({ orderId }, 10)
        await pages.changes.link(collectionId)
        expect(await rows().where({ state: "open" }).pluck("amount")).toEqual(["10.00"])
        const url = await pages.of(orderId)
        expect(await pages.read(url)).toContain("15.01 USD")
        expect(await pages.link(url)).toMatchObject({ amount: "15.01", state: "open" })
      })

      it("asks for the new sum of a raised order, and the former link is captured or a case", async () => {
        const orderId = await raisedOrder()
        const url = await pages.of(orderId)
        const former = await pages.link(url)
        expect(former.amount).toBe("15.01")
        await pages.changes.raise(orderId)
        const row = await pages.link(url)
        expect(row).toMatchObject({ amount: "30.02", state: "open" })

        await payAndNotify(store, former.payment_request_id)
        await settleDue(store)
        const { captured_at, attention_reason } = await settled(former.id)
        expect(captured_at !== null || attention_reason !== null).toBe(true)
      })

      it("asks for nothing once an order was lowered below what is paid", async () => {
        const { orderId } = await placePaidOrder(store)
        const url = await pages.of(orderId)
        const items = await pages.changes.items(orderId)
        await pages.changes.reprice(
          orderId,
          items.map((item) => ({ ...item, unit_price: 10 }))
        )
        expect(await pages.read(url)).toContain("Nothing is left to pay for this order.")
        const { status, headers } = await pages.pay(url)
        expect([status, headers["location"]]).toEqual([303, "?"])
      })

      it("leads back to the page, which says why, while the gateway is down or refuses, and makes nothing twice", async () => {
        const url = await pages.of(await pages.draft())
        await store.gateway.fail({ endpoint: "create", kind: "status", status: 503 })
        const { status, headers } = await pages.pay(`${url}?lang=en`)
        expect([status, headers["location"]]).toEqual([303, "?lang=en&problem=later"])
        expect(await pages.read(`${url}?lang=en&problem=later`)).toContain("Try again in a minute.")
        await pages.pay(url)
        await store.gateway.recover()
        await store.gateway.fail({ endpoint: "create", kind: "status", status: 422 })
        expect((await pages.pay(url)).headers["location"]).toBe("?problem=refused")
        expect(await pages.read(`${url}?problem=refused`)).toContain("does not take this payment")
        expect(await store.gateway.payments()).toEqual([])

        await store.gateway.recover()
        expect(await pages.link(url)).toMatchObject({ amount: "15.01", state: "open" })
        expect(await store.gateway.payments()).toHaveLength(1)
        expect(await store.knex("payment_collection").select()).toHaveLength(1)
      })

      it("asks for nothing when a former link, which the order did not need meanwhile, was paid unseen", async () => {
        const { orderId } = await placePaidOrder(store)
        const kept = (await pages.changes.items(orderId)).map(({ id }) => id)
        await pages.changes.raise(orderId)
        const url = await pages.of(orderId)
        const former = await pages.link(url)
        const added = (await pages.changes.items(orderId)).filter(({ id }) => !kept.includes(id))
        await pages.changes.reprice(
          orderId,
          added.map((item) => ({ ...item, unit_price: 0 }))
        )
        await settleDue(store)
        expect(await rows().where({ id: former.id }).first("state")).toEqual({ state: "superseded" })
        await pages.changes.raise(orderId)
        await store.gateway.pay(former.payment_request_id)

        const asked = await pages.changes.post(`/crypto-payments/orders/${orderId}/payment-link`)
        expect([asked.status, asked.data.code]).toEqual([400, "already_paid"])
        expect((await settled(former.id)).state).toBe("captured")
        expect(await pages.read(url)).toContain("Nothing is left to pay for this order.")
        expect(await store.gateway.payments()).toHaveLength(2)
      })

      it("says that an order has no e-mail address which the gateway needs", async () => {
        const orderId = await pages.draft()
        const url = await pages.of(orderId)
        await orderIs(orderId, { email: null })
        expect((await pages.pay(url)).headers["location"]).toBe("?problem=email")
        expect(await pages.read(`${url}?problem=email`)).toContain("Ask the shop to correct it.")
        expect(await store.gateway.payments()).toEqual([])
      })

      it("offers one link after a creation whose answer was lost", async () => {
        const url = await pages.of(await pages.draft())
        await store.gateway.fail({ endpoint: "create", kind: "reset", applied: "after", times: 1 })
        expect((await pages.pay(url)).headers["location"]).toBe("?problem=later")
        const { id } = await pages.link(url)
        const open = await rows().where({ state: "open" }).pluck("id")
        expect(open).toEqual([id])
      })

      it.each([
        ["a form", "application/x-www-form-urlencoded", "amount=0.01&provider_id=pp_x&".repeat(20)],
        ["no JSON", "application/json", '{"amount":'],
        ["fields", "application/json", '{"data":{"payment_link":"https://evil.example"},"amount":"0.01"}'],
        ["bytes", "application/octet-stream", Buffer.alloc(2000, 0xff)],
        ["a megabyte", "application/x-www-form-urlencoded", Buffer.alloc(1_000_000, "a")],
      ])("ignores what a body says: %s", async (_, type, body) => {
        const url = await pages.of(await pages.draft())
        const { status } = await pages.pay(url, body, type)
        expect(status).toBe(303)
        expect(await rows().pluck("amount")).toEqual(["15.01"])
      })

      it("begins the order's time to be paid only when the merchant asks", async () => {
        const orderId = await pages.draft()
        const url = await pages.of(orderId)
        await pages.link(url)
        await pages.link(url)
        expect(await rows().pluck("offered_by_merchant_at")).toEqual([null])
        await pages.of(orderId)
        expect(await rows().pluck("offered_by_merchant_at")).toEqual([expect.any(Date)])
      })
    })

    it("is where every link of its order returns, and of an order without a page to the shop", async () => {
      const returns = async (orderId: string): Promise<unknown> => {
        await store.gateway.clearCalls()
        await pages.changes.must(`/crypto-payments/orders/${orderId}/payment-link`)
        const [call] = await store.gateway.calls("POST")
        return (call?.body as Record<string, unknown>)["ipn_success_url"]
      }
      const [first, second] = [await pages.draft(), await pages.draft()]
      const url = await pages.of(first)
      expect(await returns(first)).toBe(url)
      expect(await returns(second)).toMatch(/\/checkout\/return\?session_id=payses_/)
    })
  },
  WITH_PUBLIC_URL
)
