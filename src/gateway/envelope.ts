import { z } from "zod"
import { GatewayMalformed, GatewayRejected } from "./errors"
import type { WireReply } from "./transport"
import { parseJson, parseWire } from "./wire"

const MAX_MESSAGE_CHARACTERS = 200
/** Servers in front of a gateway refuse credentials and unknown paths with these, in any form. */
const REFUSES_IN_ANY_FORM: readonly number[] = [401, 404, 410]

const flag = z.boolean().nullish().default(null)

/**
 * The envelope around every answer. Every endpoint may use either flag name; at least one is required. `message` is not
 * required, since nothing depends on it. `data` and `pagination` have their own schemas.
 *
 * @see gateway interface, "Response envelope"
 */
export const envelopeSchema = z
  .object({
    // Optional, because newer versions of zod refuse an object without a key whose schema is only "unknown".
    data: z.unknown().optional(),
    pagination: z.unknown().optional(),
    message: z.unknown().optional(),
    successful: flag,
    is_successful: flag,
  })
  .refine((envelope) => envelope.successful !== null || envelope.is_successful !== null, {
    path: ["successful"],
    error: "neither success flag",
  })

/**
 * Decides whether an answer is a success, and opens it.
 *
 * @returns `parse` validates one member. It throws GatewayMalformed with paths under the member's name
 * @throws GatewayRejected on a false success flag, on 4xx with a success flag, and on 401, 404 and 410 in any form
 * @throws GatewayMalformed on a redirect, on any other 4xx (a proxy or firewall may have answered), on bytes that are
 *   no JSON object, and on a missing or wrong success flag
 * @see gateway interface, "Response envelope" and "Errors: not shown"
 */
export function openEnvelope({ status: httpStatus, body }: WireReply) {
  const json = parseOrNothing(body)
  const gatewayMessage = messageOf(json)
  const isInEnvelope = envelopeSchema.safeParse(json).success
  if (httpStatus >= 400 && (isInEnvelope || REFUSES_IN_ANY_FORM.includes(httpStatus))) {
    throw new GatewayRejected(httpStatus, gatewayMessage, isInEnvelope)
  }
  const answer = { httpStatus, gatewayMessage }
  if (httpStatus < 200 || httpStatus >= 300) {
    throw new GatewayMalformed({ ...answer, fields: ["http"] })
  }
  const envelope = parseWire(envelopeSchema, json, "", answer)
  // One false is enough: if the two flags disagree, the answer is no success.
  if (envelope.successful === false || envelope.is_successful === false) {
    throw new GatewayRejected(httpStatus, gatewayMessage)
  }
  const parse = <Schema extends z.ZodType>(member: "data" | "pagination", schema: Schema) =>
    parseWire(schema, envelope[member], member, answer)
  return { httpStatus, parse }
}

function parseOrNothing(body: Buffer): unknown {
  try {
    return parseJson(body)
  } catch {
    // Undefined fails the envelope's schema as `body`. The error itself is dropped, because it quotes the body.
    return undefined
  }
}

function messageOf(json: unknown): string | null {
  const { message } = Object(json) as { message?: unknown }
  if (typeof message !== "string") {
    return null
  }
  // A single line of limited length, because the merchant sees it.
  const line = message.slice(0, MAX_MESSAGE_CHARACTERS * 2).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
  return [...line].slice(0, MAX_MESSAGE_CHARACTERS).join("")
}
