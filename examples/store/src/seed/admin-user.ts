import { createUserAccountWorkflow } from "@medusajs/medusa/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { findOrCreate } from "./find-or-create"

/** Known to everyone: fit for a store that only this machine reaches. */
export const ADMIN = { email: "admin@example.test", password: "demo-password" }

export async function seedAdminUser(container: MedusaContainer): Promise<string> {
  return await findOrCreate(container, "user", { email: ADMIN.email }, async () => {
    const { authIdentity, error } = await container
      .resolve(Modules.AUTH)
      .register("emailpass", { body: ADMIN })
    if (!authIdentity) {
      throw new Error(`The admin user could not be registered: ${error ?? "no reason given"}`)
    }
    const { result } = await createUserAccountWorkflow(container).run({
      input: { authIdentityId: authIdentity.id, userData: { email: ADMIN.email, first_name: "Demo" } },
    })
    return result
  })
}
