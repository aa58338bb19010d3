import { z } from "@medusajs/framework/zod"
import { isStorable } from "../../gateway/display-fields"

/** Any text of an admin user, a shop or medusa-config. Every schema of an input begins with it. */
export const inputText = z
  .string()
  .refine(isStorable, { error: "a text has NUL or half of a surrogate pair, which Postgres refuses" })
