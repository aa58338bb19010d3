import { ContainerRegistrationKeys, FeatureFlag, Modules } from "@medusajs/framework/utils"
import { createRbacRolesWorkflow } from "@medusajs/medusa/core-flows"
import { describeStore } from "../support/store-under-test"

// Medusa's test runner reads medusa-config, which leaves out the module of roles without the flag, before it reads flags.
FeatureFlag.setFlag("rbac", true)

/** Every admin route, and the permission it asks for. A row's id need not exist: who may not ask is not told. */
const ROUTES = [
  ["payment:read", "GET", ""],
  ["payment:read", "GET", "/health"],
  ["payment:read", "GET", "/balances"],
  ["payment:read", "GET", "/balances/AED"],
  ["payment:read", "GET", "/gateway-requests"],
  ["payment:read", "GET", "/settlements"],
  ["payment:read", "GET", "/settlements/export"],
  ["payment:read", "GET", "/reconciliation?provider_id=pp_crypto_default"],
  ["payment:read", "GET", "/reconciliation/export?provider_id=pp_crypto_default"],
  ["payment:read", "GET", "/audit"],
  ["payment:read", "GET", "/cpreq_1"],
  ["payment:update", "POST", "/reconciliation"],
  ["payment:update", "POST", "/audit"],
  ["payment:update", "POST", "/cpreq_1/settle"],
  ["payment:update", "POST", "/cpreq_1/payment-link"],
  ["payment:update", "POST", "/orders/order_1/payment-link"],
  ["payment:update", "POST", "/cpreq_1/resolve"],
  ["refund:create", "POST", "/cpreq_1/refunds"],
  ["store:read", "GET", "/settings"],
  ["store:read", "GET", "/settings/pp_crypto_default"],
  ["store:update", "POST", "/settings/pp_crypto_default"],
  ["store:update", "POST", "/settings/pp_crypto_default/check"],
  ["store:update", "POST", "/settings/pp_crypto_default/forget-origin"],
  ["store:update", "POST", "/settings/pp_crypto_default/webhook-check"],
] as const

describeStore(
  "an admin user of a store that checks permissions",
  (store) => {
    /** Logs in with a role that holds this permission and no other. */
    const logInWith = async (permission?: string): Promise<Record<string, string>> => {
      const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
      if (permission !== undefined) {
        const { data: policies } = await query.graph({
          entity: "rbac_policy",
          fields: ["id"],
          filters: { key: permission },
        })
        // Only what was registered at the start can be assigned, as in the admin.
        expect(policies).toHaveLength(1)
        const { result } = await createRbacRolesWorkflow(store.container).run({
          input: { roles: [{ name: permission, policy_ids: policies.map(({ id }) => id) }] },
        })
        const { data: users } = await query.graph({ entity: "user", fields: ["id"] })
        await store.container.resolve(ContainerRegistrationKeys.LINK).create({
          [Modules.USER]: { user_id: users[0]?.id },
          [Modules.RBAC]: { rbac_role_id: result[0]?.id },
        })
      }
      return (await store.admin()).headers
    }
    const ask = async (headers: Record<string, string>, [, method, path]: (typeof ROUTES)[number]) =>
      (await store.http.request({ method, url: `/admin/crypto-payments${path}`, data: {}, headers })).status

    it("without any gets 403 on every route", async () => {
      const headers = await logInWith()
      for (const route of ROUTES) {
        expect([...route, await ask(headers, route)]).toEqual([...route, 403])
      }
    })

    it.each([...new Set(ROUTES.map(([permission]) => permission))])(
      "who holds %s is let through where that is asked, and nowhere else",
      async (held) => {
        const headers = await logInWith(held)
        for (const route of ROUTES) {
          const isForbidden = (await ask(headers, route)) === 403
          expect([...route, isForbidden]).toEqual([...route, route[0] !== held])
        }
      }
    )
  },
  { MEDUSA_FF_RBAC: "true" }
)
