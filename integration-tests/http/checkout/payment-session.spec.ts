import { Modules, ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { createRegionsWorkflow } from "@medusajs/medusa/core-flows"
import { PAID_OK, readEndState, UNPAID } from "../../support/end-state"
import type { Fault } from "../../support/gateway-control"
import { payAndNotify } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { priceCart } from "../../support/cart-price"
import { readSession, type PreparedCheckout } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

const SESSION_KEYS = ["amount", "currency_code", "payment_link", "payment_request_id", "session_id"]

describeStore("payment session", (store) => {
  const ledgerRows = async (): Promise<Record<string, unknown>[]> =>
    await store.knex("crypto_payment_request").select("*").orderBy("created_at")
  const sessionRows = async (collectionId: string): Promise<unknown[]> =>
    await store.knex("payment_session").where({ payment_collection_id: collectionId })

  it("gives the storefront exactly the five keys and a link", async () => {
    const { session } = await store.shopper().checkout()
    expect(Object.keys(session.data).sort()).toEqual(SESSION_KEYS)
    expect(session.data).toMatchObject({ session_id: session.id, amount: "20.01", currency_code: "usd" })
    expect((await fetch(session.data.payment_link)).status).toBe(200)
  })

  it("ignores what the storefront sends as data (scenario 3)", async () => {
    const shopper = store.shopper()
    const victim = await shopper.checkout({ email: "victim@example.test" })
    await store.gateway.pay(victim.session.data.payment_request_id)
    const cartId = await shopper.cart()
    const collectionId = await shopper.collection(cartId)
    const answer = await shopper.openSession(collectionId, {
      session_id: victim.session.id,
      payment_request_id: victim.session.data.payment_request_id,
      payment_link: "https://evil.example",
      amount: 1,
      paid: true,
      successUrl: "https://evil.example",
    })
    const session = readSession(answer.data)
    const [row] = await store.knex("payment_session").where({ id: session.id }).select("data")

    expect(Object.keys(row.data).sort()).toEqual(SESSION_KEYS)
    expect(row.data).toMatchObject({ session_id: session.id, amount: "20.01" })
    expect(row.data.payment_request_id).not.toBe(victim.session.data.payment_request_id)
    const completed = await shopper.complete(cartId)
    expect(completed.data.type).toBe("cart")
    expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
  })

  it("sends the payer back to the configured addresses with the session's id", async () => {
    const { session } = await store.shopper().checkout()
    const [create] = await store.gateway.calls("POST")
    expect(create?.body).toMatchObject({
      ipn_success_url: `http://localhost:8000/checkout/return?session_id=${session.id}`,
      ipn_failed_url: `http://localhost:8000/checkout/return?session_id=${session.id}&failed=1`,
    })
  })

  it("authenticates its calls as configured", async () => {
    await store.shopper().checkout()
    const [create] = await store.gateway.calls("POST")
    expect(create?.headers["authorization"]).toBe("Bearer integration-token")
  })

  describe("reuse of the open link", () => {
    it("gives the same link when the payment step is opened again", async () => {
      const shopper = store.shopper()
      const first = await shopper.checkout()
      const second = readSession((await shopper.openSession(first.collectionId)).data)

      expect(second.id).not.toBe(first.session.id)
      expect(second.data.payment_link).toBe(first.session.data.payment_link)
      expect(await store.gateway.calls("POST")).toHaveLength(1)
      expect(await readEndState(store.knex, first.cartId)).toEqual(UNPAID)
    })

    it("leaves one live session and one link after three openings at once", async () => {
      const shopper = store.shopper()
      const cartId = await shopper.cart()
      const collectionId = await shopper.collection(cartId)
      const answers = await Promise.all([1, 2, 3].map(async () => await shopper.openSession(collectionId)))

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(await sessionRows(collectionId)).toHaveLength(1)
      expect(await store.gateway.calls("POST")).toHaveLength(1)
    })

    it("refuses to open again what was paid meanwhile, and settles it", async () => {
      const shopper = store.shopper()
      const { cartId, collectionId, session } = await shopper.checkout()
      await store.gateway.pay(session.data.payment_request_id)
      const answer = await shopper.openSession(collectionId)

      expect([answer.status, answer.data.type]).toEqual([400, "not_allowed"])
      const state = await waitUntil(
        async () => await readEndState(store.knex, cartId),
        ({ ledger }) => ledger[0]?.settled === true
      )
      expect([state.orders, state.captures]).toEqual([1, ["20.01"]])
    })

    describe("of fifty sessions", () => {
      const openAfterFifty = async (
        status: string
      ): Promise<{
        first: PreparedCheckout
        second: PreparedCheckout["session"]
      }> => {
        const first = await store.shopper().checkout()
        await store.gateway.setStatus(first.session.data.payment_request_id, status)
        await store
          .knex("crypto_payment_request")
          .where({ session_id: first.session.id })
          .update({
            session_ids: store.knex.raw("session_ids || ARRAY(SELECT id || n FROM generate_series(1, 49) n)"),
          })
        const second = readSession((await store.shopper().openSession(first.collectionId)).data)
        return { first, second }
      }

      it.each(["UNPAID", "PENDING", "CONFIRMING"])(
        "offers the same again while it is %s, and keeps the session of its note and the newest",
        async (status) => {
          const { first, second } = await openAfterFifty(status)
          expect(second.data.payment_link).toBe(first.session.data.payment_link)
          const [row] = (await ledgerRows()) as { id: string; session_ids: string[] }[]
          const planted = Array.from({ length: 48 }, (_, n) => `${row?.id ?? ""}${String(n + 2)}`)
          expect(row?.session_ids).toEqual([first.session.id, ...planted, second.id])
          await payAndNotify(store, first.session.data.payment_request_id)
          await settleDue(store)
          expect(await readEndState(store.knex, first.cartId)).toEqual(PAID_OK)
        }
      )
    })

    it("makes a new link for another payer", async () => {
      const shopper = store.shopper()
      const { cartId, collectionId } = await shopper.checkout()
      await shopper.post(`/carts/${cartId}`, { email: "second@example.test" })
      await shopper.openSession(collectionId)
      expect(await store.gateway.calls("POST")).toHaveLength(2)
    })
  })

  describe("the payer's names and e-mail", () => {
    const bodies = async (): Promise<Record<string, unknown>[]> =>
      (await store.gateway.calls("POST")).map(({ body }) => body as Record<string, unknown>)
    const named = async (names: { first_name: string | null; last_name: string | null }): Promise<string> => {
      const cartId = await store.shopper().cart()
      await store.knex("cart_address").update(names)
      return await store.shopper().collection(cartId)
    }

    it.each<[string, Omit<Fault, "endpoint">]>([
      ["400", { kind: "status", status: 400 }],
      ["422", { kind: "status", status: 422 }],
      ["a page with 422", { kind: "html", status: 422 }],
      ["a false flag", { kind: "false_flag" }],
    ])("are left out where the gateway refuses the names with %s", async (_, fault) => {
      await store.gateway.fail({ endpoint: "create", ...fault, times: 1 })
      const { session } = await store.shopper().checkout()
      const [first, second, ...more] = await bodies()
      const { payer_first_name, payer_last_name, ...others } = first ?? {}
      expect([payer_first_name, payer_last_name]).toEqual(["Aisha", "Rahman"])
      expect(second).toEqual(others)
      expect([second?.["note"], more]).toEqual([session.id, []])
      expect((await ledgerRows()).map(({ state }) => state)).toEqual(["open"])
    })

    it("are left out once, and not where there are none to leave out", async () => {
      await store.gateway.fail({ endpoint: "create", kind: "status", status: 422 })
      const collectionId = await store.shopper().collection(await store.shopper().cart())
      expect((await store.shopper().openSession(collectionId)).status).toBe(500)
      expect(await bodies()).toHaveLength(2)
      const nameless = await named({ first_name: null, last_name: " \u0007" })
      expect((await store.shopper().openSession(nameless)).status).toBe(500)
      expect(await bodies()).toHaveLength(3)
    })

    it("are names on one line of at most 100 characters", async () => {
      const collectionId = await named({ first_name: " عائشة\n💶 ", last_name: "💶".repeat(101) })
      expect((await store.shopper().openSession(collectionId)).status).toBe(200)
      expect(await bodies()).toEqual([
        expect.objectContaining({ payer_first_name: "عائشة 💶", payer_last_name: "💶".repeat(100) }),
      ])
    })

    it("are an address without the blanks and invisible characters around it", async () => {
      const collectionId = await store.shopper().collection(await store.shopper().cart())
      await store.knex("cart").update({ email: " \u200bguest@example.test " })
      expect((await store.shopper().openSession(collectionId)).status).toBe(200)
      expect(await bodies()).toEqual([expect.objectContaining({ payer_email_address: "guest@example.test" })])
    })

    it("are a 400 and no call of the gateway if the address is not valid", async () => {
      const collectionId = await store.shopper().collection(await store.shopper().cart())
      for (const [fault, email] of [
        ["no sign @", "guest"],
        ["nothing behind it", "guest@"],
        ["a blank", "a b@example.test"],
        ["a name before it", "Aisha <a@example.test>"],
        ["a scheme before it", "mailto:a@example.test"],
        ["too many characters", `${"a".repeat(320)}@example.test`],
      ]) {
        await store.knex("cart").update({ email })
        const { status, data } = await store.shopper().openSession(collectionId)
        expect([fault, status, data.code, data.message]).toEqual([
          fault,
          400,
          "email_invalid",
          "The cart's e-mail address is not valid. Correct `email` on the cart, then try again.",
        ])
      }
      expect(await store.gateway.calls()).toEqual([])
      expect(await sessionRows(collectionId)).toEqual([])
    })

    it("are a 400 that names the address where only the gateway refuses it", async () => {
      const collectionId = await store.shopper().collection(await store.shopper().cart())
      await store.knex("cart").update({ email: "guest@intranet" })
      const { status, data } = await store.shopper().openSession(collectionId)
      expect([status, data.code, data.message]).toEqual([
        400,
        "email_invalid",
        "The crypto payment service does not accept the e-mail address. Nothing was charged. " +
          "Correct `email` on the cart or the order, then try again.",
      ])
    })
  })

  describe("bad input", () => {
    it("answers 400 naming both currencies for any other", async () => {
      const { result } = await createRegionsWorkflow(store.container).run({
        input: {
          regions: [
            {
              name: "Germany",
              currency_code: "eur",
              countries: ["de"],
              payment_providers: ["pp_crypto_default", "pp_system_default"],
            },
          ],
        },
      })
      const collection = await store.container
        .resolve(Modules.PAYMENT)
        .createPaymentCollections({ currency_code: "eur", amount: 20.01 })
      const shopper = store.shopper()
      const created = await shopper.post("/carts", { region_id: result[0]?.id, email: "guest@example.test" })
      await store.container.resolve(ContainerRegistrationKeys.LINK).create({
        cart: { cart_id: created.data.cart.id },
        payment: { payment_collection_id: collection.id },
      })
      const { status, data } = await shopper.openSession(collection.id)

      expect(status).toBe(400)
      expect(data.message).toMatch(/AED.*USD.*EUR/)
      // Nor is it offered there, in contrast to the region in USD.
      const offeredIn = async (region: unknown): Promise<unknown> =>
        (await shopper.get(`/payment-providers?region_id=${String(region)}`)).data
      const others = { payment_providers: [expect.objectContaining({ id: "pp_system_default" })], count: 1 }
      expect(await offeredIn(result[0]?.id)).toMatchObject(others)
      const ofUsd = await store.knex("region").where({ currency_code: "usd" }).first("id")
      expect(await offeredIn(ofUsd.id)).toMatchObject({ count: 2 })
      expect(await store.gateway.calls()).toEqual([])
      expect(await sessionRows(collection.id)).toEqual([])
    })

    it("answers 400 to an amount that rounds to zero", async () => {
      const { collectionId, shopper } = await collectionOf(0.004)
      const { status, data } = await shopper.openSession(collectionId)
      expect([status, data.message]).toEqual([400, expect.stringContaining("above zero")])
      expect(await store.gateway.calls()).toEqual([])
    })

    it("says of an amount of zero that nothing has to be paid", async () => {
      const { collectionId, shopper } = await collectionOf(0)
      const { status, data } = await shopper.openSession(collectionId)
      expect([status, data.code, data.message]).toEqual([
        400,
        "nothing_to_pay",
        "Nothing has to be paid. Complete the order without a payment.",
      ])
      expect(await store.gateway.calls()).toEqual([])
    })

    it("rounds more than two decimals half up, and expects the rounded figure", async () => {
      const { collectionId, shopper } = await collectionOf(20.005)
      const session = readSession((await shopper.openSession(collectionId)).data)
      const [create] = await store.gateway.calls("POST")
      expect([(create?.body as { amount: string }).amount, session.data.amount]).toEqual(["20.01", "20.01"])
      expect((await ledgerRows()).map(({ amount }) => amount)).toEqual(["20.01"])
    })

    it("answers 400 to a cart without e-mail, and does not call the gateway", async () => {
      const shopper = store.shopper()
      const collectionId = await shopper.collection(await shopper.cart({ email: null }))
      const { status, data } = await shopper.openSession(collectionId)
      expect([status, data.message]).toEqual([400, expect.stringContaining("e-mail")])
      expect(await store.gateway.calls()).toEqual([])
      expect(await sessionRows(collectionId)).toEqual([])
    })

    /** A guest's cart whose collection asks for this amount, as totals with many decimals do. */
    async function collectionOf(amount: number): Promise<{
      collectionId: string
      shopper: ReturnType<typeof store.shopper>
    }> {
      const shopper = store.shopper()
      const cartId = await shopper.cart()
      await priceCart(store.knex, cartId, amount)
      const collectionId = await shopper.collection(cartId)
      return { collectionId, shopper }
    }
  })

  describe("when the gateway fails", () => {
    const faults: [string, Fault][] = [
      ["is down", { endpoint: "create", kind: "reset" }],
      ["answers 500", { endpoint: "create", kind: "status", status: 500 }],
      ["answers 403", { endpoint: "create", kind: "status", status: 403 }],
      ["answers 409", { endpoint: "create", kind: "status", status: 409 }],
      ["answers 429", { endpoint: "create", kind: "status", status: 429 }],
      ["answers HTML", { endpoint: "create", kind: "html" }],
      ["breaks off its answer", { endpoint: "create", kind: "truncated" }],
      ["answers with cut-off JSON", { endpoint: "create", kind: "cut_json" }],
      ["says it was not successful", { endpoint: "create", kind: "false_flag" }],
      ["leaves the flag out", { endpoint: "create", kind: "missing_flag" }],
      ["answers with wrong types", { endpoint: "create", kind: "wrong_types" }],
      ["redirects", { endpoint: "create", kind: "redirect" }],
    ]

    it.each(faults)("and %s, the shopper is told so and no session stays", async (_, fault) => {
      const shopper = store.shopper()
      const cartId = await shopper.cart()
      const collectionId = await shopper.collection(cartId)
      await store.gateway.fail(fault)
      const { status, data } = await shopper.openSession(collectionId)

      expect(status).toBe(500)
      expect(data.message).toMatch(/^The crypto payment service .* Nothing was charged\./)
      expect(await sessionRows(collectionId)).toEqual([])
      expect(await store.gateway.calls("POST")).toHaveLength(fault.kind === "false_flag" ? 2 : 1)

      await store.gateway.recover()
      expect((await shopper.openSession(collectionId)).status).toBe(200)
    })

    it("and a firewall answers for it, however long, no second link is made", async () => {
      const shopper = store.shopper()
      const { collectionId } = await shopper.checkout()
      await store.gateway.fail({ endpoint: "read", kind: "html", status: 403 })
      expect((await shopper.openSession(collectionId)).status).toBe(500)
      await store
        .knex("crypto_payment_request")
        .update({ failing_since: new Date(Date.now() - 2 * 3_600_000) })
      const { status, data } = await shopper.openSession(collectionId)
      expect([status, data.message]).toEqual([
        500,
        expect.stringContaining("If you have paid, do not pay again"),
      ])
      expect(data.message).not.toContain("Nothing was charged")
      expect(await store.gateway.calls("POST")).toHaveLength(1)
      expect((await ledgerRows()).map(({ state, failure }) => [state, failure])).toEqual([
        ["open", "unreadable"],
      ])
    })

    it("and is slower than the deadline, the shopper is told so in time", async () => {
      const shopper = store.shopper()
      const collectionId = await shopper.collection(await shopper.cart())
      await store.gateway.hold("create")
      // After the deadline of eight seconds.
      const { status, data } = await shopper.openSession(collectionId)
      expect([status, data.message]).toEqual([500, expect.stringContaining("does not answer")])
      expect(await sessionRows(collectionId)).toEqual([])
    })

    it("a completion is answered with the cart and nothing is captured", async () => {
      const shopper = store.shopper()
      const { cartId, session } = await shopper.checkout()
      await store.gateway.pay(session.data.payment_request_id)
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
      const { status, data } = await shopper.complete(cartId)
      expect([status, data.type]).toEqual([200, "cart"])
      expect((await readEndState(store.knex, cartId)).captures).toEqual([])
    })
  })
})
