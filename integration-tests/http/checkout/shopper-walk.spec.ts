import { ORDER_FIRST, ORDER_FIRST_ENVIRONMENT } from "../../support/order-first"
import { settleDue } from "../../support/settle-due"
import { guestAddress, readSession, type Shopper } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { comeToRest, walk, WALK_LIMIT_MS, type Moves } from "../../support/walk"

interface Visit {
  shopper: Shopper
  cartId: string
  links: { paymentRequestId: string; sessionId: string }[]
}

const CURRENCIES = ["usd", "aed"] as const
const CRYPTO = "pp_crypto_default"
/** A manual payment is a plan to pay: its order can be paid in crypto as well. */
const PROVIDERS = [CRYPTO, CRYPTO, ORDER_FIRST, CRYPTO, "pp_system_default"] as const

describeStore(
  "a shopper's walk",
  (store) => {
    const cart = async ({ shopper, cartId }: Visit, change: object) =>
      await shopper.post(`/carts/${cartId}`, change)
    const item = async ({ cartId }: Visit, choice: number): Promise<string> => {
      const items = await store
        .knex("cart_line_item")
        .where({ cart_id: cartId, deleted_at: null })
        .pluck("id")
      return `/carts/${cartId}/line-items/${String(items[choice % items.length])}`
    }
    const link = ({ links }: Visit, choice: number) => {
      const drawn = links[choice % links.length]
      if (drawn === undefined) {
        throw new Error("no link was given yet")
      }
      return drawn
    }

    async function openPaymentStep({ shopper, cartId, links }: Visit, choice: number): Promise<void> {
      const provider = PROVIDERS[choice % PROVIDERS.length]
      const { status, data } = await shopper.openSession(
        await shopper.collection(cartId),
        undefined,
        provider
      )
      const session = status === 200 ? readSession(data) : undefined
      if (session !== undefined && provider !== "pp_system_default") {
        links.push({ paymentRequestId: session.data.payment_request_id, sessionId: session.id })
      }
    }

    const MOVES: Moves<Visit> = {
      region: [
        10,
        (visit, choice) => {
          const currency = CURRENCIES[choice % 2] ?? "usd"
          return cart(visit, {
            region_id: store.seeded.regions[currency],
            shipping_address: guestAddress(currency),
          })
        },
      ],
      quantity: [
        10,
        async (visit, choice) =>
          await visit.shopper.post(await item(visit, choice), { quantity: 1 + (choice % 3) }),
      ],
      add_item: [
        6,
        ({ shopper, cartId }, choice) =>
          shopper.post(`/carts/${cartId}/line-items`, {
            variant_id: store.seeded.variantIds[choice % 2],
            quantity: 1,
          }),
      ],
      remove_item: [4, async (visit, choice) => await visit.shopper.delete(await item(visit, choice))],
      promotion: [4, (visit, choice) => cart(visit, { promo_codes: choice % 3 === 0 ? [] : ["TEN"] })],
      address: [
        2,
        (visit, choice) =>
          cart(visit, { billing_address: { ...guestAddress("usd"), address_1: `${String(choice)} Road` } }),
      ],
      email: [2, (visit, choice) => cart(visit, { email: `guest-${String(choice % 2)}@example.test` })],
      shipping: [
        4,
        ({ shopper, cartId }) =>
          shopper.post(`/carts/${cartId}/shipping-methods`, { option_id: store.seeded.shippingOptionId }),
      ],
      payment_step: [16, openPaymentStep],
      pay: [
        18,
        async (visit, choice) => {
          // Mostly the newest link.
          const { paymentRequestId } = link(visit, choice % 3 === 0 ? choice / 3 : visit.links.length - 1)
          await store.gateway.pay(paymentRequestId)
          if (choice % 2 === 0) {
            await store.gateway.notify(paymentRequestId)
          }
        },
      ],
      notify: [4, (visit, choice) => store.gateway.notify(link(visit, choice).paymentRequestId)],
      return_page: [
        8,
        (visit, choice) => visit.shopper.statusOf(link(visit, choice).sessionId, visit.cartId),
      ],
      complete: [14, ({ shopper, cartId }) => shopper.complete(cartId)],
      schedule: [3, (_, choice) => (choice % 2 === 0 ? settleDue(store) : comeToRest(store))],
    }

    /** A cart of one currency with a link; two of three have no shipping method yet, so that payments wait. */
    async function begin(choice: number): Promise<Visit> {
      const promotion = {
        code: "TEN",
        type: "standard",
        status: "active",
        application_method: { type: "percentage", target_type: "items", allocation: "across", value: 10 },
      }
      await store.asAdmin.post("/promotions", promotion)
      const shopper = store.shopper()
      const currency = CURRENCIES[choice % 2] ?? "usd"
      const visit = { shopper, cartId: await shopper.cart({ currency }), links: [] }
      if (choice % 3 !== 0) {
        await store.knex("cart_shipping_method").where({ cart_id: visit.cartId }).delete()
      }
      await openPaymentStep(visit, choice)
      return visit
    }

    it(
      "leaves each payment captured once on the order that asks for it, or a case",
      async () => {
        await walk(store, { moves: MOVES, begin })
      },
      WALK_LIMIT_MS
    )
  },
  ORDER_FIRST_ENVIRONMENT
)
