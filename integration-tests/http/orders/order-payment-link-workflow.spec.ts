import { Modules } from "@medusajs/framework/utils"
import { createStep, createWorkflow, StepResponse, WorkflowResponse } from "@medusajs/framework/workflows-sdk"
import {
  createOrderPaymentLinkWorkflow,
  type CreateOrderPaymentLinkInput,
  type OrderPaymentLink,
} from "../../../.medusa/server/src/workflows"
import renewOrders from "../../../examples/store/src/scripts/renew-orders"
import { acceptQuoteWorkflow } from "../../../examples/store/src/workflows/accept-quote"
import { readCollectionEnd } from "../../support/end-state"
import { PayPages, WITH_PUBLIC_URL } from "../../support/pay-page"
import { payAndNotify, placePaidOrder } from "../../support/paid-checkout"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

/** What the hook of a store was told. */
const told: unknown[] = []
createOrderPaymentLinkWorkflow.hooks.paymentLinkCreated((link) => {
  told.push(link)
})

const mailRenewal = createStep("mail-renewal", ({ mayMail }: { mayMail: boolean }) => {
  if (!mayMail) {
    throw new Error("the mail was not sent")
  }
  return new StepResponse(null)
})
/** A store's own workflow, which makes the link as one of its steps. */
const renew = createWorkflow("renew", (input: CreateOrderPaymentLinkInput & { mayMail: boolean }) => {
  const link = createOrderPaymentLinkWorkflow.runAsStep({ input })
  mailRenewal(input)
  return new WorkflowResponse(link)
})

describeStore(
  "the workflow that makes a payment link of an order",
  (store) => {
    const pages = new PayPages(store)
    const rows = () => store.knex("crypto_payment_request")
    const run = async (order_id: string): Promise<OrderPaymentLink> =>
      (await createOrderPaymentLinkWorkflow(store.container).run({ input: { order_id } })).result

    beforeEach(() => {
      told.length = 0
    })

    async function payLink({ crypto_payment_id }: OrderPaymentLink): Promise<unknown> {
      const { payment_request_id } = await rows().where({ id: crypto_payment_id }).first()
      await payAndNotify(store, payment_request_id as string)
      const row = await waitUntil(
        async () => await rows().where({ id: crypto_payment_id }).first(),
        ({ settled_at, attention_reason }) => settled_at !== null || attention_reason !== null
      )
      return await readCollectionEnd(store.knex, row.payment_collection_id as string)
    }

    it("gives the page and a link, tells the hook, and the payment is captured once", async () => {
      const orderId = await pages.draft()
      const link = await run(orderId)
      expect(await rows().select("id", "payment_link", "amount", "state")).toEqual([
        { id: link.crypto_payment_id, payment_link: link.payment_link, amount: "15.01", state: "open" },
      ])
      expect(link.url).toBe(await pages.of(orderId))
      expect(told).toEqual([{ order_id: orderId, link }])
      expect(await payLink(link)).toMatchObject({ captures: ["15.01"] })
    })

    it("gives the same page and the same link twice", async () => {
      const orderId = await pages.draft()
      expect(await run(orderId)).toEqual(await run(orderId))
      expect(await store.gateway.payments()).toHaveLength(1)
    })

    it.each([
      ["does not exist", "not_found", async () => await Promise.resolve("order_1")],
      ["owes nothing", "not_allowed", async () => (await placePaidOrder(store)).orderId],
    ])("refuses an order that %s", async (_, type, make) => {
      const orderId = await make()
      await expect(run(orderId)).rejects.toMatchObject({ type })
      expect(told).toEqual([])
    })

    it("works as a step of another workflow, under its own locks, and its payment is captured once", async () => {
      const orderId = await pages.draft()
      const runs = await Promise.all(
        Array.from({ length: 5 }, async () => {
          const { result } = await renew(store.container).run({ input: { order_id: orderId, mayMail: true } })
          return result
        })
      )
      const [link] = runs as [OrderPaymentLink]
      expect(new Set(runs.map(({ payment_link }) => payment_link)).size).toBe(1)
      expect(await store.gateway.payments()).toHaveLength(1)
      expect(await payLink(link)).toMatchObject({ captures: ["15.01"] })
    })

    it("makes a monthly renewal that is mailed once and paid once, as the example does", async () => {
      const mailed = jest.spyOn(store.container.resolve(Modules.NOTIFICATION), "createNotifications")
      mailed.mockResolvedValue([] as never)
      const { orderId } = await placePaidOrder(store)
      await renewOrders({ container: store.container, args: [orderId] })
      await renewOrders({ container: store.container, args: [orderId] })
      const [renewal, ...others] = await store
        .knex("order")
        .whereRaw("metadata ->> 'renewal_of' = ?", [orderId])
        .select("id", "email")
      expect(others).toEqual([])
      const url = await pages.of(String(renewal?.id))
      expect(mailed.mock.calls).toEqual([[expect.objectContaining({ to: renewal?.email, data: { url } })]])
      mailed.mockRestore()
      expect(await payLink(await run(String(renewal?.id)))).toMatchObject({ captures: ["15.01"] })
    })

    it("makes an order of an accepted quote, on the page that came with the quote, as the example does", async () => {
      const draft_order_id = await pages.draft()
      const url = await pages.of(draft_order_id)
      const { result } = await acceptQuoteWorkflow(store.container).run({ input: { draft_order_id } })
      expect(result.url).toBe(url)
      expect(await payLink(result)).toMatchObject({ captures: ["15.01"] })
      expect(
        await store.knex("order").where({ id: draft_order_id }).first("status", "is_draft_order")
      ).toEqual({
        status: "pending",
        is_draft_order: false,
      })
    })

    it("leaves a page and a link that are right when the other workflow fails later", async () => {
      const orderId = await pages.draft()
      const input = { order_id: orderId, mayMail: false }
      const why = { message: expect.stringContaining("the mail was not sent") }
      await expect(renew(store.container).run({ input })).rejects.toMatchObject(why)
      const [left] = await rows().select("payment_link", "state")
      expect(left?.state).toBe("open")
      expect((await run(orderId)).payment_link).toBe(left?.payment_link)
    })
  },
  WITH_PUBLIC_URL
)
