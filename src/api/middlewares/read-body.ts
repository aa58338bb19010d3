import type { IncomingMessage } from "node:http"

/** How much of a body is waited for, and how long. */
export interface BodyLimits {
  maxBytes: number
  /**
   * How much beyond `maxBytes` is read and dropped. An answer sent while the body is still on its way closes the
   * connection under the sender, who then often sees a reset in place of the answer.
   */
  maxDroppedBytes: number
  /** From the call on, for the whole body. */
  timeoutMs: number
}

/**
 * Why there is no whole body of that size. After "aborted" nobody waits for an answer. After the other two the answer
 * should close the connection, unless the request is `complete`.
 */
type UnreadBody = "too_large" | "too_slow" | "aborted"

/**
 * Reads a request body whole, whatever its content type.
 *
 * Node itself gives a body five minutes, in which a sender of one byte now and then would keep a connection.
 */
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
      // Paused, not destroyed: destroying the request would take the answer's socket with it.
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
    // The sender closed the connection: that is not an error of this server. Node reports it by one of these, or by
    // both.
    for (const event of ["error", "close"]) {
      request.on(event, () => {
        end("aborted")
      })
    }
  })
}
