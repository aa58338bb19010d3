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
 * Why the body could not be read. After "aborted" nobody waits for an answer. After the others, the answer should close
 * the connection, unless the request is `complete`.
 */
type UnreadBody = "too_large" | "too_slow" | "aborted"

/** Reads a whole body of any type. Node's own limit of five minutes would let a slow sender keep a connection. */
export async function readBody(
  request: IncomingMessage,
  { maxBytes, maxDroppedBytes, timeoutMs }: BodyLimits
): Promise<Buffer | UnreadBody> {
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
