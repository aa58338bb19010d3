import type { z } from "zod"
import { parseJson } from "./decode-body"
import { GatewayMalformed, GatewayRejected, type AnswerForm } from "./errors"
import { parseWire } from "./mapping"
import { envelopeSchema } from "./schemas"
import type { WireReply } from "./transport"

const MAX_MESSAGE_CHARACTERS = 200
/** Servers in front of a gateway refuse credentials, and paths that it does not have, with pages of their own. */
const STATUSES_OF_PAGES: readonly number[] = [401, 404, 410]

/** An answer's payload, not yet validated. */
export interface OpenedEnvelope {
  /** Validates one member of the envelope; throws `GatewayMalformed` with paths under its name. */
  parse: <Schema extends z.ZodType>(member: "data" | "pagination", schema: Schema) => z.output<Schema>
  httpStatus: number
}

/**
 * Decides whether an answer is a success, and opens it.
 *
 * @throws GatewayRejected on 4xx and on a false success flag
 * @throws GatewayMalformed on a redirect (an address is not an answer), on the page of a proxy or firewall, on bytes
 * that are no JSON object, and on a missing or wrong success flag
 * @see gateway interface, "Response envelope" and "Errors: not shown"
 */
export function openEnvelope(reply: WireReply): OpenedEnvelope {
  const { status: httpStatus } = reply
  const json = parseOrNothing(reply.body)
  const gatewayMessage = messageOf(json)
  const isPage = /^\s*</.test(reply.body.toString("utf8", 0, 100)) && !STATUSES_OF_PAGES.includes(httpStatus)
  if (httpStatus >= 400 && !isPage) {
    throw new GatewayRejected(httpStatus, gatewayMessage, formOf(json))
  }
  if (httpStatus < 200 || httpStatus >= 300) {
    throw new GatewayMalformed({ fields: ["http"], httpStatus })
  }
  const envelope = parseWire(envelopeSchema, json, { path: "", httpStatus, gatewayMessage })
  // One false is enough: an envelope with both flags that disagree is not a success.
  if (envelope.successful === false || envelope.is_successful === false) {
    throw new GatewayRejected(httpStatus, gatewayMessage, "envelope")
  }
  return {
    httpStatus,
    parse: (member, schema) =>
      parseWire(schema, envelope[member], { path: member, httpStatus, gatewayMessage }),
  }
}

function formOf(json: unknown): AnswerForm {
  if (typeof json !== "object" || json === null) {
    return "other"
  }
  return envelopeSchema.safeParse(json).success ? "envelope" : "object"
}

function parseOrNothing(body: Buffer): unknown {
  try {
    return parseJson(body)
  } catch {
    // Undefined fails the envelope's schema as `body`. The error itself is dropped: it quotes the body.
    return undefined
  }
}

function messageOf(json: unknown): string | null {
  const message: unknown =
    typeof json === "object" && json !== null && "message" in json ? json.message : null
  if (typeof message !== "string") {
    return null
  }
  // One line of bounded length, since it ends up in front of a merchant.
  const line = message.slice(0, MAX_MESSAGE_CHARACTERS * 2).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
  return [...line].slice(0, MAX_MESSAGE_CHARACTERS).join("")
}
