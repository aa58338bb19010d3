import { FeatureFlag } from "@medusajs/framework/utils"
import type { AxiosResponse } from "axios"
import { logInWithRole } from "../../support/log-in-with-role"
import { ledgerRow, placePaidOrder } from "../../support/paid-checkout"
import { describeStore } from "../../support/store-under-test"

// Medusa's test runner reads medusa-config, which leaves out the module of roles without the flag, before it reads flags.
FeatureFlag.setFlag("rbac", true)

const GUEST = { name: "Aisha Rahman", email: "guest@example.test" }

describeStore(
  "the customer of a payment",
  (store) => {
    const seesCustomers = async () =>
      await logInWithRole(store, ["payment:read", "payment:update", "customer:read"])
    const seesPaymentsOnly = async () => await logInWithRole(store, ["payment:read", "payment:update"])

    const get = async (path: string, headers: Record<string, string>): Promise<AxiosResponse> =>
      await store.http.get(`/admin/crypto-payments${path}`, { headers })
    const found = async (q: string, headers: Record<string, string>): Promise<string[]> => {
      const { status, data } = await get(`?q=${encodeURIComponent(q)}`, headers)
      expect(status).toBe(200)
      return (data.crypto_payments as { id: string }[]).map(({ id }) => id)
    }
    /** The cart's customer has an account: core keeps the name there. */
    const nameCustomer = async (cartId: string, first_name: string, last_name: string): Promise<string> => {
      const [{ customer_id }] = await store.knex("cart").where({ id: cartId }).select("customer_id")
      await store.knex("customer").where({ id: customer_id }).update({ first_name, last_name })
      return customer_id as string
    }

    it("is in the list, in the payment itself and in the answers of its actions: of the cart, then of the order", async () => {
      const headers = await seesCustomers()
      const { cartId, session } = await store.shopper().checkout()
      const { id } = await ledgerRow(store, session.id)
      const { data: list } = await get("", headers)
      expect(list.crypto_payments).toMatchObject([
        { customer: { id: expect.stringMatching(/^cus_/), ...GUEST } },
      ])
      const customerId = await nameCustomer(cartId, "Amal", "Haddad")
      const { data: one } = await get(`/${id}?live=false`, headers)
      expect(one.crypto_payment.customer).toEqual({ id: customerId, name: "Amal Haddad", email: GUEST.email })
      const { data: settled } = await store.http.post(`/admin/crypto-payments/${id}/settle`, {}, { headers })
      expect(settled.crypto_payment.customer).toEqual(one.crypto_payment.customer)

      const order = await placePaidOrder(store)
      await store.knex("order").where({ id: order.orderId }).update({ email: "moved@example.test" })
      const { data: ofOrder } = await get(`/${order.id}?live=false`, headers)
      expect(ofOrder.crypto_payment.customer).toMatchObject({ email: "moved@example.test" })
    })

    it("is not given to a role that may not see customers, and its search finds nobody", async () => {
      const headers = await seesPaymentsOnly()
      const { session } = await store.shopper().checkout()
      const { id } = await ledgerRow(store, session.id)
      const answers = [
        await get("", headers),
        await get(`/${id}`, headers),
        await store.http.post(`/admin/crypto-payments/${id}/settle`, {}, { headers }),
      ]
      for (const { status, data } of answers) {
        expect(status).toBe(200)
        expect(JSON.stringify(data)).not.toMatch(/guest@example|Aisha|Rahman|cus_/)
        expect((data.crypto_payment ?? data.crypto_payments[0]).customer).toBeNull()
      }
      expect(await found("guest@example.test", headers)).toEqual([])
      expect(await found(id, headers)).toEqual([id])
    })

    it("is found by the whole e-mail address of the cart or the order, whatever its case, and by no part of it", async () => {
      const headers = await seesCustomers()
      const { session } = await store.shopper().checkout()
      const cart = (await ledgerRow(store, session.id)).id
      const order = await placePaidOrder(store)
      await store.knex("order").where({ id: order.orderId }).update({ email: "Moved@example.test" })
      expect((await found(GUEST.email, headers)).sort()).toEqual([cart, order.id].sort())
      expect(await found("moved@Example.test", headers)).toEqual([order.id])
      expect(await found("guest@example", headers)).toEqual([])
      expect(await found("Aisha Rahman", headers)).toEqual([])
    })

    it("finds all that is the customer's, under a former e-mail address too, for a role that may see customers", async () => {
      // The token has the user's roles of that time.
      const withoutCustomers = await seesPaymentsOnly()
      const headers = await seesCustomers()
      const { cartId, session } = await store.shopper().checkout()
      const ofCart = (await ledgerRow(store, session.id)).id
      const order = await placePaidOrder(store)
      await store.shopper().checkout({ email: "second@example.test" })
      const [{ customer_id }] = await store.knex("cart").where({ id: cartId }).select("customer_id")
      await store
        .knex("order")
        .where({ id: order.orderId })
        .update({ customer_id, email: "moved@example.test" })
      const of = async (id: string, asked: Record<string, string>): Promise<string[]> =>
        ((await get(`?customer_id=${id}`, asked)).data.crypto_payments as { id: string }[]).map(
          (row) => row.id
        )
      expect((await of(customer_id as string, headers)).sort()).toEqual([ofCart, order.id].sort())
      expect(await of("cus_unknown", headers)).toEqual([])
      expect(await of(customer_id as string, withoutCustomers)).toEqual([])
    })

    it("costs a page no query for each of its rows", async () => {
      const headers = await seesCustomers()
      const statements = async (): Promise<number> => {
        let sent = 0
        const count = (): void => {
          sent += 1
        }
        store.knex.on("query", count)
        await get("", headers)
        store.knex.removeListener("query", count)
        return sent
      }
      await store.shopper().checkout()
      await statements()
      const ofOne = await statements()
      await store.shopper().checkout({ email: "second@example.test" })
      await store.shopper().checkout({ email: "third@example.test" })
      expect((await get("", headers)).data.count).toBe(3)
      expect(await statements()).toBe(ofOne)
      expect(ofOne).toBeGreaterThan(0)
    })
  },
  { MEDUSA_FF_RBAC: "true" }
)
