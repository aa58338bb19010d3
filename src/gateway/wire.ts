import { z } from "zod"
import { GatewayMalformed } from "./errors"

// The wire is snake case. A schema names each field once, in snake case; our types and names are derived from it.

// Zod copies unknown keys by assignment: the JSON key "__proto__" would become the result's prototype.
const withoutProto = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, "__proto__")
    ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== "__proto__"))
    : value

/** An object on the wire. Unknown fields are kept. */
export const wireObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess(withoutProto, z.looseObject(shape))

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

/** What every record has in addition to the fields of the interface. */
export interface Additional {
  /** Fields that the interface does not list, under their wire names. */
  additionalFields: Record<string, unknown>
}

export function toFields<Shape extends z.ZodRawShape>(
  wire: Record<string, unknown>,
  shape: Shape
): Fields<Shape> & Additional {
  const fields = Object.fromEntries(Object.keys(shape).map((name) => [camelCase(name), wire[name]]))
  return { ...(fields as Fields<Shape>), additionalFields: omit(wire, shape) }
}

export function omit(wire: Record<string, unknown>, table: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(wire).filter(([name]) => !Object.hasOwn(table, name)))
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
