import { createRegionsWorkflow, updateStoresWorkflow } from "@medusajs/medusa/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { findOrCreate } from "./find-or-create"

const PAYMENT_PROVIDERS = ["pp_crypto_default", "pp_system_default"]

export interface SeededRegions {
  usd: string
  aed: string
}

export async function seedRegions(container: MedusaContainer): Promise<SeededRegions> {
  await updateStoresWorkflow(container).run({
    input: {
      selector: {},
      update: {
        supported_currencies: [{ currency_code: "usd", is_default: true }, { currency_code: "aed" }],
      },
    },
  })
  const region = (name: string, currency_code: string, country: string): Promise<string> =>
    findOrCreate(container, "region", { name }, async () => {
      const { result } = await createRegionsWorkflow(container).run({
        input: {
          regions: [{ name, currency_code, countries: [country], payment_providers: PAYMENT_PROVIDERS }],
        },
      })
      return result[0]
    })
  return {
    usd: await region("United States", "usd", "us"),
    aed: await region("United Arab Emirates", "aed", "ae"),
  }
}
