import { z } from "zod"
import { GatewayMalformed } from "./errors"

// The wire is snake case. A schema names each field once, in snake case; our types and names are derived from it.

/** Our name of a wire field: `payment_request_id` is `paymentRequestId`. */
export type CamelCase<Name> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name

export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** @param path of the value in the body, such as `data`; empty for the body itself @throws GatewayMalformed */
export function parseWire<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: string,
  answer: { httpStatus?: number; gatewayMessage?: string | null } = {}
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) {
    return result.data
  }
  const fields = result.error.issues.map(
    (issue) => [path, ...issue.path].filter((part) => part !== "").join(".") || "body"
  )
  throw new GatewayMalformed({ ...answer, fields: [...new Set(fields)], cause: result.error })
}

/** Parses JSON, with or without a byte order mark. @throws when it is no JSON in UTF-8; the error quotes the body */
export function parseJson(body: Uint8Array): unknown {
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
}
