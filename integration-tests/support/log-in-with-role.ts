import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { createRbacRolesWorkflow } from "@medusajs/medusa/core-flows"
import type { StoreUnderTest } from "./store-under-test"

/**
 * Logs in with a role that holds these permissions and no other; without any, with no role. The store needs the feature
 * flag `rbac`.
 */
export async function logInWithRole(store: StoreUnderTest, permissions: string[]) {
  const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
  if (permissions.length > 0) {
    const { data: policies } = await query.graph({
      entity: "rbac_policy",
      fields: ["id"],
      filters: { key: permissions },
    })
    // Only what was registered at the start can be assigned, as in the admin.
    expect(policies).toHaveLength(permissions.length)
    const { result } = await createRbacRolesWorkflow(store.container).run({
      input: { roles: [{ name: permissions.join(), policy_ids: policies.map(({ id }) => id) }] },
    })
    const { data: users } = await query.graph({ entity: "user", fields: ["id"] })
    await store.container.resolve(ContainerRegistrationKeys.LINK).create({
      [Modules.USER]: { user_id: users[0]?.id },
      [Modules.RBAC]: { rbac_role_id: result[0]?.id },
    })
  }
  return (await store.admin()).headers
}
