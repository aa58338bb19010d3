import { hasPermission } from "@medusajs/framework"
import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import { PolicyOperation } from "@medusajs/framework/utils"
import type { Viewer } from "../../../modules/crypto-payments/reports/customer-sql"

/**
 * What the roles of the admin user allow in addition to payments. A store without roles shows everything, as core does.
 * A user without any role does not come here: each route asks for a permission first.
 */
export async function viewerOf({ auth_context, scope }: AuthenticatedMedusaRequest): Promise<Viewer> {
  const roles = (auth_context.app_metadata["roles"] ?? []) as string[]
  const mayRead = async (resource: string): Promise<boolean> =>
    await hasPermission({ roles, actions: { resource, operation: PolicyOperation.read }, container: scope })
  const [customers, users, orders] = await Promise.all([
    mayRead("customer"),
    mayRead("user"),
    mayRead("order"),
  ])
  return { customers, users, orders }
}
