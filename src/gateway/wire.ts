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

/** The type of a shape, with our names. */
export type Fields<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape as CamelCase<Name>]: z.output<Shape[Name]>
}

export function toFields<Shape extends z.ZodRawShape>(
  wire: Record<string, unknown>,
  shape: Shape
): Fields<Shape> {
  const fields = Object.fromEntries(Object.keys(shape).map((name) => [camelCase(name), wire[name]]))
  return fields as Fields<Shape>
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
