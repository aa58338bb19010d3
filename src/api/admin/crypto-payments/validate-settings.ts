import {
  type MedusaNextFunction,
  type MedusaRequest,
  type MedusaResponse,
  validateAndTransformBody,
} from "@medusajs/framework/http"
import type { z } from "@medusajs/framework/zod"
import { answerProblem } from "./respond"

/** As core validates a body, and names the fields that are wrong, so that a form can say it beside them. */
export function validateSettings(schema: z.ZodObject) {
  const validate = validateAndTransformBody(schema)
  return async (req: MedusaRequest, res: MedusaResponse, next: MedusaNextFunction): Promise<void> => {
    await validate(req, res, (error?: unknown) => {
      const issues = schema.safeParse(req.body).error?.issues
      if (!(error instanceof Error) || issues === undefined) {
        next(error)
        return
      }
      const fields = issues.map(({ path }) => toField(path)).filter((field) => field !== undefined)
      answerProblem(res, 400, { code: "invalid", message: error.message, fields: [...new Set(fields)] })
    })
  }
}

const AUTH_SECRETS = ["token", "password", "api_key", "secret_key"]

/** The setting that a place in the body belongs to; undefined for the body as a whole. */
function toField([first, second, third]: PropertyKey[]): string | undefined {
  if (first !== "auth") {
    return first === undefined ? undefined : String(first)
  }
  if (second === "username") {
    return "auth_username"
  }
  if (second === "headers" && third !== undefined) {
    return `auth.headers.${String(third)}`
  }
  return AUTH_SECRETS.includes(String(second)) ? `auth.${String(second)}` : "auth"
}
