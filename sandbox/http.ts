import type { IncomingMessage, ServerResponse } from "node:http"

const MOST_BODY_BYTES = 1_000_000

/** A request that the sandbox refuses; the caller gets the message. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string
  ) {
    super(message)
  }
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BODY_BYTES) {
      throw new Refused(413, "body over 1 MB")
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/** @returns the parsed object; an empty body counts as an empty object */
export function parseJsonObject(body: string): Record<string, unknown> {
  if (body.trim() === "") {
    return {}
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    throw new Refused(400, "The body is not JSON")
  }
  if (!isObject(parsed)) {
    throw new Refused(400, "The body is not a JSON object")
  }
  return parsed
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export function send(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string,
  headers: Record<string, string> = {}
): void {
  if (response.destroyed || response.headersSent) {
    return
  }
  response.writeHead(status, {
    "content-type": contentType,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    ...headers,
  })
  response.end(body)
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, "application/json; charset=utf-8", JSON.stringify(value))
}

export const isHttpUrl = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** @returns undefined when the segment is not valid percent-encoding */
export function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
