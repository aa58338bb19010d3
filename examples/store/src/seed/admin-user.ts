import { randomBytes } from "node:crypto"
import { createUserAccountWorkflow } from "@medusajs/medusa/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { findOrCreate } from "./find-or-create"

const EMAIL = "admin@example.test"

/** @returns how to log in; the password is another one after each run */
export async function seedAdminUser(
  container: MedusaContainer
): Promise<{ email: string; password: string }> {
  const login = { email: EMAIL, password: randomBytes(9).toString("base64url") }
  const auth = container.resolve(Modules.AUTH)
  await findOrCreate(container, "user", { email: EMAIL }, async () => {
    const { authIdentity, error } = await auth.register("emailpass", { body: login })
    if (!authIdentity) {
      throw new Error(`The admin user could not be registered: ${error ?? "no reason given"}`)
    }
    const { result } = await createUserAccountWorkflow(container).run({
      input: { authIdentityId: authIdentity.id, userData: { email: EMAIL, first_name: "Demo" } },
    })
    return result
  })
  const { success, error } = await auth.updateProvider("emailpass", {
    entity_id: EMAIL,
    password: login.password,
  })
  if (!success) {
    throw new Error(`The admin user's password could not be set: ${error ?? "no reason given"}`)
  }
  return login
}
