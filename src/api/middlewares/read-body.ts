import type { IncomingMessage } from "node:http"

/**
 * Reads a request body whole, whatever its content type.
 *
 * @param maxBytes a longer body is not read to its end
 * @returns undefined when the body is longer; the answer should then close the connection
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    return undefined
  }
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) {
        // Paused, not destroyed: destroying the request would take the answer's socket with it.
        request.removeAllListeners("data").pause()
        resolve(undefined)
        return
      }
      chunks.push(chunk)
    })
    request.once("end", () => {
      resolve(Buffer.concat(chunks))
    })
    request.once("error", reject)
  })
}
