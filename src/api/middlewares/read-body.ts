import type { IncomingMessage } from "node:http"
import { TookTooLong, waitAtMost } from "../../modules/crypto-payments/waiting"

export interface BodyLimits {
  maxBytes: number
  /** Read and dropped beyond `maxBytes`: an early answer closes the connection, and senders often see only a reset. */
  maxDroppedBytes: number
  /** From the call on, for the whole body. */
  timeoutMs: number
}

/**
 * A request whose body another middleware may have read, as Express' parsers and Medusa's `preserveRawBody` leave it.
 */
type MaybeReadRequest = IncomingMessage & { body?: unknown; rawBody?: unknown }

/**
 * Why the body could not be read. `already_read`: another middleware read it and left nothing to go by. After "aborted"
 * nobody waits for an answer. After the others, the answer should close the connection, unless the request is
 * `complete`.
 */
type UnreadBody = "already_read" | "too_large" | "too_slow" | "aborted"

/**
 * Reads a whole body of any type, or takes what another middleware of the store has made of it. Node's own limit of
 * five minutes would let a slow sender keep a connection.
 */
export async function readBody(
  request: MaybeReadRequest,
  { maxBytes, maxDroppedBytes, timeoutMs }: BodyLimits
): Promise<Buffer | UnreadBody> {
  if (request.readableDidRead) {
    return readBefore(request)
  }
  if (Number(request.headers["content-length"] ?? 0) > maxBytes + maxDroppedBytes) {
    return "too_large"
  }
  const chunks: Buffer[] = []
  let size = 0
  const readAll = async (): Promise<void> => {
    // Destroying the request would also destroy the answer's socket.
    const received = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
    for await (const chunk of received) {
      size += chunk.length
      if (size <= maxBytes) {
        chunks.push(chunk)
      } else if (size > maxBytes + maxDroppedBytes) {
        return
      }
    }
  }
  try {
    await waitAtMost(timeoutMs, readAll())
  } catch (error) {
    if (!(error instanceof TookTooLong)) {
      // A sender that closes the connection is no error of this server.
      return "aborted"
    }
    if (size <= maxBytes) {
      return "too_slow"
    }
  }
  return size > maxBytes ? "too_large" : Buffer.concat(chunks)
}

/**
 * A parsed body is as good as its text, because everything here is about values. A parser that does not know the type
 * leaves nothing, or an empty text or object in place of what was sent.
 */
function readBefore({ body, rawBody, headers }: MaybeReadRequest): Buffer | "already_read" {
  const read = [rawBody, body].find((left) => Buffer.isBuffer(left) || typeof left === "string")
  const left = read ?? (typeof body === "object" && body !== null ? JSON.stringify(body) : undefined)
  const isEmpty = ["", "{}"].includes(String(left))
  const isLost = isEmpty && Number(headers["content-length"] ?? 0) > String(left).length
  return left === undefined || isLost ? "already_read" : Buffer.from(left)
}
