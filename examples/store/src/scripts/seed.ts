import { writeFile } from "node:fs/promises"
import type { ExecArgs } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { seedStore } from "../seed"

/** `medusa exec ./src/scripts/seed.ts [file]`: fills the store, and writes what was seeded to the file as JSON. */
export default async function seed({ container, args }: ExecArgs): Promise<void> {
  const seeded = await seedStore(container)
  const [file] = args
  if (file) {
    await writeFile(file, JSON.stringify(seeded))
  }
  container.resolve(ContainerRegistrationKeys.LOGGER).info(`Publishable key: ${seeded.publishableKey}`)
}
