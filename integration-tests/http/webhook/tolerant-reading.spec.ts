import { randomBytes } from "node:crypto"
import type { Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { reconcileGatewayList, type ListReport } from "../../../.medusa/server/src/workflows"
import { PAID_OK, readEndState } from "../../support/end-state"
import { createAtGateway } from "../../support/gateway-requests"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

const provider_id = "pp_crypto_default"

// Rule I9: no text from the gateway or a payer can stop a PAID from being recorded.
describeStore("tolerant reading", (store) => {
  const reconcile = async (): Promise<ListReport> =>
    await reconcileGatewayList(store.container, { provider_id })

  describe("a PAID record is captured, and its order placed, although", () => {
    it.each<[string, { fields?: Record<string, unknown>; without?: string[] }, Record<string, unknown>]>([
      ["ref_id has a NUL", { fields: { ref_id: "REF\u00001" } }, { ref_id: "REF1" }],
      ["ref_id has half a character", { fields: { ref_id: "REF\ud83d1" } }, { ref_id: "REF1" }],
      ["payment_amount is 1E-8", { fields: { payment_amount: "1E-8" } }, { payment_amount: "0.00000001" }],
      ["payment_amount is empty", { fields: { payment_amount: "" } }, { payment_amount: null }],
      ["receiving_amount is 1e2", { fields: { receiving_amount: "1e2" } }, { receiving_amount: "100" }],
      [
        "receiving_amount is a number",
        { fields: { receiving_amount: 19.81 } },
        { receiving_amount: "19.81" },
      ],
      ["the fee is a word", { fields: { payment_fee_amount: "none" } }, { fee_amount: null }],
      ["payer_email_address is null", { fields: { payer_email_address: null } }, {}],
      ["payer_email_address is missing", { without: ["payer_email_address"] }, {}],
      ["payment_link is null", { fields: { payment_link: null } }, {}],
      ["fee_paid_by is 7", { fields: { fee_paid_by: 7 } }, { fee_paid_by: "7" }],
      ["payer_first_name is 5", { fields: { payer_first_name: 5 } }, {}],
      ["payment_currency is a list", { fields: { payment_currency: ["\0"] } }, { payment_currency: null }],
      ["a field nobody knows has a NUL", { fields: { "\0": { "\0": "\0" } } }, {}],
    ])("%s", async (_, bent, recorded) => {
      const { cartId, session } = await store.shopper().checkout()
      await store.gateway.bendRecord(session.data.payment_request_id, bent)
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
      expect(await ledgerRow(store, session.id)).toMatchObject({ gateway_status: "PAID", ...recorded })
    })

    it("ref_id is 20 kB that cannot be compressed", async () => {
      const { cartId, session } = await store.shopper().checkout()
      const ref_id = randomBytes(10_000).toString("hex")
      await store.gateway.bendRecord(session.data.payment_request_id, { fields: { ref_id } })
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
      expect((await ledgerRow(store, session.id)).ref_id).toBe(ref_id.slice(0, 200))
    })

    it("every text is as long as it may be, in characters of four bytes", async () => {
      const { cartId, session } = await store.shopper().checkout()
      const long = "😀".repeat(5000)
      const fields = {
        ref_id: long,
        payment_currency: long,
        fee_paid_by: long,
        note: long,
        paid_amount: long,
      }
      await store.gateway.bendRecord(session.data.payment_request_id, { fields })
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    it("its amount has an exponent", async () => {
      const { cartId, session } = await store.shopper().checkout()
      await store.gateway.bendRecord(session.data.payment_request_id, { fields: { amount: "2.001E+1" } })
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
      expect((await ledgerRow(store, session.id)).gateway_amount).toBe("20.01")
    })
  })

  it("a PAID record whose amount cannot be understood captures nothing", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.bendRecord(session.data.payment_request_id, { fields: { amount: 20.01 } })
    await payAndNotify(store, session.data.payment_request_id)
    await waitUntil(
      async () => await ledgerRow(store, session.id),
      ({ failure, lease_until }) => failure === "unreadable" && lease_until === null
    )
    expect(await readEndState(store.knex, cartId)).toMatchObject({ captures: [], orders: 0 })
  })

  it("figures that the gateway knows later than PAID come with the comparison of its list", async () => {
    const { session } = await store.shopper().checkout()
    const id = session.data.payment_request_id
    await store.gateway.bendRecord(id, { fields: { receiving_amount: null, payment_fee_amount: null } })
    await payAndNotify(store, id)
    expect(await ledgerRow(store, session.id)).toMatchObject({ receiving_amount: null, fee_amount: null })
    await store.gateway.bendRecord(id, { fields: { receiving_amount: "19.81", payment_fee_amount: "0.20" } })
    await reconcile()
    const known = { receiving_amount: "19.81", fee_amount: "0.20", gateway_status: "PAID" }
    expect(await ledgerRow(store, session.id)).toMatchObject(known)
    await store.gateway.bendRecord(id, { fields: { receiving_amount: "1.00", payment_fee_amount: "9.00" } })
    await reconcile()
    expect(await ledgerRow(store, session.id)).toMatchObject(known)
  })

  it("a report over payments with odd figures can be read", async () => {
    const { cartId, session } = await store.shopper().checkout()
    const fields = { receiving_amount: "1.981E+1", payment_fee_amount: "", payment_amount: "x" }
    await store.gateway.bendRecord(session.data.payment_request_id, { fields })
    await payAndNotify(store, session.data.payment_request_id)
    await endOf(store, cartId)
    const from = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const to = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const { status } = await store.http.get(
      `/admin/crypto-payments/settlements?from=${from}&to=${to}`,
      await store.admin()
    )
    expect(status).toBe(200)
  })

  describe("with a broken record of another shop", () => {
    const BROKEN: [string, unknown, string | null][] = [
      [
        "an amount that is a number",
        { payment_request_id: "other-1", amount: 5, currency_symbol: "USD" },
        "other-1",
      ],
      ["no id", { amount: "5.00", currency_symbol: "USD", payment_status: "PAID" }, null],
      ["no fields", null, null],
      ["an id with a NUL", { payment_request_id: "\0", amount: 5 }, null],
    ]

    it.each(BROKEN)(
      "that has %s, our PAID request without a row gets one and a case",
      async (_, record, id) => {
        const { session } = await store.shopper().checkout()
        await store.knex("crypto_payment_request").delete()
        await store.gateway.putInList(record)
        await store.gateway.pay(session.data.payment_request_id)
        const report = await reconcile()
        expect(report).toMatchObject({
          complete: id !== null,
          incomplete_because: id === null ? [{ page: null, reason: "record_without_id" }] : [],
          counts: { unreadable: 1, paid_and_unknown: 1 },
        })
        expect(report.rows.filter(({ finding }) => finding === "unreadable")).toMatchObject(
          id === null ? [] : [{ id: null, payment_request_id: id, listed_status: null }]
        )
        await settleDue(store)
        expect(await store.knex("crypto_payment_request").select("state", "attention_reason")).toEqual([
          { state: "paid", attention_reason: "orphan_paid" },
        ])
      }
    )

    it.each(BROKEN)("that has %s, the admin sees ours in the gateway's list", async (_, record, id) => {
      const { session } = await store.shopper().checkout()
      await store.gateway.putInList(record)
      const { status, data } = await store.http.get(
        "/admin/crypto-payments/gateway-requests",
        await store.admin()
      )
      expect(status).toBe(200)
      expect(data).toMatchObject({
        gateway_requests: [
          {
            payment_request_id: session.data.payment_request_id,
            crypto_payment: { id: (await ledgerRow(store, session.id)).id },
          },
        ],
        unreadable: [{ payment_request_id: id, crypto_payment: null }],
      })
    })

    it("the nightly job warns that a record could not be read, and that the list was not seen whole", async () => {
      await store.gateway.putInList(null)
      const logger = store.container.resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      const warn = jest.spyOn(logger, "warn").mockImplementation(() => undefined)
      await store.compareListsAtNight()
      const warnings = warn.mock.calls.map(([text]) => text).join("\n")
      warn.mockRestore()
      expect(warnings).toMatch(/the gateway's list was compared, not complete: .*"unreadable":1\b/)
    })
  })

  describe("our own record that is broken in the list", () => {
    it("makes its row due, and the read of it alone settles it", async () => {
      const { cartId, session } = await store.shopper().checkout()
      const id = session.data.payment_request_id
      await store.knex("crypto_payment_request").update({ state: "closed", next_check_at: null })
      await store.gateway.pay(id)
      await store.gateway.bendRecord(id, { fields: { amount: 20.01 } })
      expect(await reconcile()).toMatchObject({
        complete: true,
        counts: { listed: 1, known: 1, unreadable: 1, check_requested: 0, not_listed: 0 },
        rows: [
          {
            finding: "unreadable",
            payment_request_id: id,
            fields: ["amount"],
            id: expect.any(String) as string,
          },
        ],
      })
      await store.gateway.bendRecord(id)
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("is adopted by its note although the answer of its creation was lost too", async () => {
      const shopper = store.shopper()
      const collectionId = await shopper.collection(await shopper.cart())
      await store.gateway.fail({ endpoint: "create", kind: "reset", applied: "after", times: 1 })
      expect((await shopper.openSession(collectionId)).status).toBe(500)
      const [lost] = await store.gateway.payments()
      const id = String(lost?.payment_request_id)
      await store.gateway.bendRecord(id, { without: ["payment_status"] })
      expect((await reconcile()).counts).toMatchObject({ adopted: 1, unreadable: 1 })
      expect(await ledgerRow(store, String(lost?.note))).toMatchObject({ payment_request_id: id })
    })

    it("is nobody's when its note is not ours, and adds no row", async () => {
      const { payment_request_id } = await createAtGateway("invoice 7")
      await store.gateway.bendRecord(payment_request_id, { fields: { currency_symbol: null } })
      expect((await reconcile()).counts).toMatchObject({ listed: 1, others: 1, unreadable: 1 })
      expect(await store.knex("crypto_payment_request").select("id")).toEqual([])
    })
  })
})
