import { FeatureFlag } from "@medusajs/framework/utils"
import { logInWithRole } from "../../support/log-in-with-role"
import { ledgerRow, placePaidOrder } from "../../support/paid-checkout"
import { fillIn, readRouteTable, type Route } from "../../support/route-table"
import { describeStore } from "../../support/store-under-test"

// Medusa's test runner reads medusa-config, which leaves out the module of roles without the flag, before it reads flags.
FeatureFlag.setFlag("rbac", true)

const BASE = "/admin/crypto-payments"

/** The permissions each route asks for: all of them. */
const PERMISSIONS: Record<string, string> = {
  [`GET ${BASE}`]: "payment:read",
  [`GET ${BASE}/export`]: "payment:read",
  [`GET ${BASE}/health`]: "payment:read",
  [`GET ${BASE}/balances`]: "payment:read",
  [`GET ${BASE}/balances/:symbol`]: "payment:read",
  [`GET ${BASE}/gateway-requests`]: "payment:read",
  [`GET ${BASE}/settlements`]: "payment:read",
  [`GET ${BASE}/settlements/export`]: "payment:read",
  [`GET ${BASE}/reconciliation`]: "payment:read",
  [`GET ${BASE}/reconciliation/export`]: "payment:read",
  [`GET ${BASE}/audit`]: "payment:read",
  [`GET ${BASE}/:id`]: "payment:read",
  [`POST ${BASE}/reconciliation`]: "payment:update",
  [`POST ${BASE}/audit`]: "payment:update",
  [`POST ${BASE}/:id/settle`]: "payment:update",
  [`POST ${BASE}/:id/payment-link`]: "payment:update",
  [`POST ${BASE}/orders/:order_id/payment-link`]: "payment:update",
  [`POST ${BASE}/orders/:order_id/pay-page`]: "payment:update",
  [`POST ${BASE}/:id/resolve`]: "payment:update",
  [`GET ${BASE}/:id/candidates`]: "order:read payment:read",
  [`POST ${BASE}/:id/apply`]: "payment:update",
  [`POST ${BASE}/:id/draft-order`]: "order:create payment:update",
  [`POST ${BASE}/:id/refunds`]: "refund:create",
  [`GET ${BASE}/settings`]: "store:read",
  [`GET ${BASE}/settings/:provider_id`]: "store:read",
  [`POST ${BASE}/settings/:provider_id`]: "store:update",
  [`POST ${BASE}/settings/:provider_id/check`]: "store:update",
  [`POST ${BASE}/settings/:provider_id/webhook-check`]: "store:update",
}

/** Read from the folders, so that a new route is asked too. A row's id need not exist: who may not ask is not told. */
const ROUTES = readRouteTable("admin")
const PARAMETERS = { id: "cpreq_1", symbol: "AED", provider_id: "pp_crypto_default" }
const nameOf = ({ method, path }: Route): string => `${method} ${path}`
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

describeStore(
  "an admin user of a store that checks permissions",
  (store) => {
    const logInWith = async (...permissions: string[]) => await logInWithRole(store, permissions)
    const send = async (
      route: Route,
      headers: Record<string, string>,
      data: unknown = {}
    ): Promise<number> => {
      const url = `${fillIn(route, PARAMETERS)}?provider_id=pp_crypto_default`
      return (await store.http.request({ method: route.method, url, data, headers })).status
    }
    const customer = async (): Promise<Record<string, string>> => {
      const { data } = await store.http.post<{ token: string }>("/auth/customer/emailpass/register", {
        email: "customer@example.test",
        password: "a-customers-password",
      })
      return { authorization: `Bearer ${data.token}` }
    }

    it("finds the permission of every route here, and of no route that is gone", () => {
      expect(ROUTES.map(nameOf).sort()).toEqual(Object.keys(PERMISSIONS).sort())
    })

    it("is nobody else: without a login, with a customer's and with a forged one, every method of every route is 401", async () => {
      const paths = [...new Set(ROUTES.map(({ path }) => path))]
      const strangers = [
        {},
        await customer(),
        {
          authorization:
            "Bearer eyJhbGciOiJub25lIn0.eyJhY3Rvcl9pZCI6InVzZXJfMSIsImFjdG9yX3R5cGUiOiJ1c2VyIn0.",
        },
        { authorization: `Basic ${Buffer.from(`${store.seeded.publishableKey}:`).toString("base64")}` },
        { cookie: "connect.sid=s%3Aforged.forged" },
      ]
      const let_in: unknown[] = []
      for (const headers of strangers) {
        for (const path of paths) {
          for (const method of METHODS) {
            const status = await send(
              { method, path },
              { "x-publishable-api-key": store.seeded.publishableKey, ...headers }
            )
            if (status !== 401) {
              let_in.push([method, path, headers, status])
            }
          }
        }
      }
      expect(let_in).toEqual([])
    })

    it("without any gets 403 on every route", async () => {
      const headers = await logInWith()
      for (const route of ROUTES) {
        expect([nameOf(route), await send(route, headers)]).toEqual([nameOf(route), 403])
      }
    })

    it.each([...new Set([...Object.values(PERMISSIONS), "order:create"])])(
      "who holds %s is let through where that is asked, and nowhere else",
      async (permissions) => {
        const held = permissions.split(" ")
        const headers = await logInWith(...held)
        for (const route of ROUTES) {
          const isForbidden = (await send(route, headers)) === 403
          const name = nameOf(route)
          const asked = PERMISSIONS[name]?.split(" ") ?? []
          expect([name, isForbidden]).toEqual([name, !asked.every((one) => held.includes(one))])
        }
      }
    )

    it("who may not read orders is not shown the cart's id, which opens the customer's address", async () => {
      const { cartId, session } = await store.shopper().checkout()
      const { id } = await ledgerRow(store, session.id)
      const shown = async (headers: Record<string, string>): Promise<string> => {
        const answers = [
          await store.http.get(BASE, { headers }),
          await store.http.get(`${BASE}/${id}`, { headers }),
          await store.http.post(`${BASE}/${id}/settle`, {}, { headers }),
        ]
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
        return answers
          .map(({ data }) => (JSON.stringify(data).includes(cartId) ? "shown" : "hidden"))
          .join(" ")
      }
      expect(await shown(await logInWith("payment:read", "payment:update"))).toBe("hidden hidden hidden")
      expect(await shown(await logInWith("payment:read", "payment:update", "order:read"))).toBe(
        "shown shown shown"
      )
    })

    it("who may not read orders is not shown the order's id either, and finds nothing by it", async () => {
      const order = await placePaidOrder(store)
      const { id } = await ledgerRow(store, order.session.id)
      const shown = async (headers: Record<string, string>): Promise<boolean[]> => {
        const answers = [
          await store.http.get(BASE, { headers }),
          await store.http.get(`${BASE}/${id}`, { headers }),
          await store.http.post(`${BASE}/${id}/settle`, {}, { headers }),
          await store.http.get(`${BASE}/gateway-requests?provider_id=pp_crypto_default`, { headers }),
        ]
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
        const found = await store.http.get(BASE, { headers, params: { q: order.orderId } })
        return [
          ...answers.map(({ data }) => JSON.stringify(data).includes(order.orderId)),
          found.data.count > 0,
        ]
      }
      expect(await shown(await logInWith("payment:read", "payment:update"))).toEqual(Array(5).fill(false))
      expect(await shown(await logInWith("payment:read", "payment:update", "order:read"))).toEqual(
        Array(5).fill(true)
      )
    })

    it("who may not read admin users is not told their names by the timeline", async () => {
      const { session } = await store.shopper().checkout()
      const { id } = await ledgerRow(store, session.id)
      const attention = { attention_reason: "orphan_paid", attention_since: new Date() }
      await store.knex("crypto_payment_request").where({ id }).update(attention)
      const headers = await logInWith("payment:read", "payment:update")
      const closed = await store.http.post(`${BASE}/${id}/resolve`, { note: "done" }, { headers })
      expect(closed.status).toBe(200)
      const closer = async (reader: Record<string, string>): Promise<unknown> => {
        const { data } = await store.http.get(`${BASE}/${id}?live=false`, { headers: reader })
        const entries = data.crypto_payment.activities as { type: string; actor: unknown }[]
        return entries.find(({ type }) => type === "resolved")?.actor
      }
      expect(await closer(headers)).toEqual({ id: expect.any(String), name: null })
      expect(await closer(await logInWith("user:read"))).toEqual({
        id: expect.any(String),
        name: expect.any(String),
      })
    })

    it("who may not read orders finds nothing by the cart's id", async () => {
      const { cartId, session } = await store.shopper().checkout()
      const { id } = await ledgerRow(store, session.id)
      const found = async (headers: Record<string, string>): Promise<unknown[]> =>
        await Promise.all(
          [cartId, id, session.id].map(async (q) => {
            const { data } = await store.http.get(BASE, { headers, params: { q, totals: "true" } })
            return [data.count, data.totals?.length ?? null, data.crypto_payments.length]
          })
        )
      // Roles add up, and a login keeps those it was made with.
      const outsider = await logInWith("payment:read")
      const reader = await found(await logInWith("payment:read", "order:read"))
      const one = reader[0]
      expect(reader).toEqual([one, one, one])
      const none = await store.http.get(BASE, {
        headers: outsider,
        params: { q: "no such thing", totals: "true" },
      })
      const nothing = [0, none.data.totals?.length ?? null, 0]
      expect(await found(outsider)).toEqual([nothing, one, one])
    })

    describe("with a login in a cookie that browsers send from anywhere (sameSite none)", () => {
      const FORMS = ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"]
      const logInByCookie = async (): Promise<{ cookie: string }> => {
        const headers = await logInWith(
          ...new Set(Object.values(PERMISSIONS).flatMap((asked) => asked.split(" ")))
        )
        const { headers: answered } = await store.http.post("/auth/session", {}, { headers })
        const [cookie] = answered["set-cookie"] as string[]
        return { cookie: cookie?.split(";")[0] ?? "" }
      }
      const posts = ROUTES.filter(({ method }) => method === "POST")

      it("does nothing that a form on another site posts, with or without a body", async () => {
        const { session } = await store.shopper().checkout()
        const { id } = await ledgerRow(store, session.id)
        const login = await logInByCookie()
        await store.gateway.clearCalls()
        const traces = async (): Promise<unknown> => [
          await store.gateway.calls(),
          await store.knex("crypto_payment_settings").select("id", "version"),
          await store.knex("crypto_payment_audit").select("id"),
          await store.knex("crypto_payment_activity").where({ request_id: id }).select("id"),
        ]
        const before = await traces()
        const let_in: unknown[] = []
        for (const route of posts) {
          const url = fillIn(route, { ...PARAMETERS, id })
          for (const type of [...FORMS, undefined]) {
            for (const data of type === undefined ? [undefined] : ['{"version":0}', ""]) {
              const headers = { ...login, "content-type": type ?? false }
              const transformRequest = (body: unknown): unknown => body
              const { status } = await store.http.request({
                method: "POST",
                url,
                headers,
                data,
                transformRequest,
              })
              if (status !== 415) {
                let_in.push([nameOf(route), type, data, status])
              }
            }
          }
        }
        expect(let_in).toEqual([])
        expect(await traces()).toEqual(before)
      })

      it("does what is posted as JSON, which adminCors has a browser ask for first", async () => {
        const { session } = await store.shopper().checkout()
        const { id } = await ledgerRow(store, session.id)
        const url = `${BASE}/${id}/settle`
        expect((await store.http.post(url, {}, { headers: await logInByCookie() })).status).toBe(200)
        const allowed = async (origin: string): Promise<unknown> => {
          const asks = {
            "access-control-request-method": "POST",
            "access-control-request-headers": "content-type",
          }
          const { headers } = await store.http.request({
            method: "OPTIONS",
            url,
            headers: { origin, ...asks },
          })
          return headers["access-control-allow-origin"]
        }
        expect(await allowed("http://localhost:9000")).toBe("http://localhost:9000")
        expect(await allowed("https://evil.example")).toBeUndefined()
      })
    })
  },
  { MEDUSA_FF_RBAC: "true" }
)
