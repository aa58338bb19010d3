import type { IncomingMessage } from "node:http"

/** How much of a body is waited for, and how long. */
export interface BodyLimits {
  maxBytes: number
  /** From the call on, for the whole body. */
  timeoutMs: number
}

/**
 * Reads a request body whole, whatever its content type.
 *
 * Node itself gives a body five minutes, in which a sender of one byte now and then would keep a connection.
 *
 * @returns a word when the body is longer or slower than that: it is not read to its end, and the answer should close
 *   the connection
 */
export async function readBody(
  request: IncomingMessage,
  { maxBytes, timeoutMs }: BodyLimits
): Promise<Buffer | "too_large" | "too_slow"> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    return "too_large"
  }
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const giveUp = (why: "too_large" | "too_slow"): void => {
      clearTimeout(limit)
      // Paused, not destroyed: destroying the request would take the answer's socket with it.
      request.removeAllListeners("data").pause()
      resolve(why)
    }
    const limit = setTimeout(giveUp, timeoutMs, "too_slow")
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) {
        giveUp("too_large")
        return
      }
      chunks.push(chunk)
    })
    request.once("end", () => {
      clearTimeout(limit)
      resolve(Buffer.concat(chunks))
    })
    request.once("error", (error) => {
      clearTimeout(limit)
      reject(error)
    })
  })
}
