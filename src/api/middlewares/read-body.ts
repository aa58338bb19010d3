import type { IncomingMessage } from "node:http"
import { TookTooLong, waitAtMost } from "../../modules/crypto-payments/waiting"

export interface BodyLimits {
  maxBytes: number
  /** From the call on, for the whole body. */
  timeoutMs: number
}

/**
 * A request whose body another middleware may have read, as Express' parsers and Medusa's `preserveRawBody` leave it.
 */
type MaybeReadRequest = IncomingMessage & { body?: unknown; rawBody?: unknown }

/**
 * Why the body could not be read. `already_read`: another middleware read it and left nothing to go by. After "aborted"
 * nobody waits for an answer.
 */
type UnreadBody = "already_read" | "too_large" | "too_slow" | "aborted"

/**
 * Reads a whole body of any type, or takes what another middleware of the store has made of it. Node's own limit of
 * five minutes would let a slow sender keep a connection.
 */
export async function readBody(
  request: MaybeReadRequest,
  { maxBytes, timeoutMs }: BodyLimits
): Promise<Buffer | UnreadBody> {
  if (request.readableDidRead) {
    return readBefore(request)
  }
  const readAll = async (): Promise<Buffer | "too_large"> => {
    const chunks: Buffer[] = []
    let size = 0
    // Destroying the request would also destroy the answer's socket.
    const received = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
    for await (const chunk of received) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) {
        // Node drops the rest. A sender who is still sending often sees nothing of an answer on a closed connection.
        request.resume()
        return "too_large"
      }
    }
    return Buffer.concat(chunks)
  }
  try {
    return await waitAtMost(timeoutMs, readAll())
  } catch (error) {
    // A sender that closes the connection is no error of this server.
    return error instanceof TookTooLong ? "too_slow" : "aborted"
  }
}

/** A parsed body is as good as its text, because everything here is about values. */
function readBefore({ body, rawBody }: MaybeReadRequest): Buffer | "already_read" {
  const sent = [rawBody, body].find((left) => Buffer.isBuffer(left) || typeof left === "string")
  if (sent !== undefined) {
    return Buffer.from(sent)
  }
  return typeof body === "object" && body !== null ? Buffer.from(JSON.stringify(body)) : "already_read"
}
