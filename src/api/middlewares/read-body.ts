import type { IncomingMessage } from "node:http"

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
  if (request.destroyed) {
    return "aborted"
  }
  return await new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = (body: Buffer | UnreadBody): void => {
      clearTimeout(limit)
      resolve(body)
    }
    const giveUp = (): void => {
      // Paused, not destroyed: destroying the request would also destroy the answer's socket.
      request.removeAllListeners("data").pause()
      end(size > maxBytes ? "too_large" : "too_slow")
    }
    const limit = setTimeout(giveUp, timeoutMs)
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) {
        chunks.push(chunk)
        return
      }
      chunks.length = 0
      if (size > maxBytes + maxDroppedBytes) {
        giveUp()
      }
    })
    request.once("end", () => {
      end(size > maxBytes ? "too_large" : Buffer.concat(chunks))
    })
    // A sender that closes the connection is no error of this server. Node reports it by one or both of these events.
    for (const event of ["error", "close"]) {
      request.on(event, () => {
        end("aborted")
      })
    }
  })
}
