import { promisify } from "node:util"
import { brotliDecompress, unzip } from "node:zlib"

type Decoder = (body: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>

const DECODERS = new Map<string, Decoder>([
  // Node's unzip tells gzip and deflate apart itself.
  ["gzip", promisify(unzip)],
  ["x-gzip", promisify(unzip)],
  ["deflate", promisify(unzip)],
  ["br", promisify(brotliDecompress)],
])

/**
 * Undoes the `Content-Encoding` of a body. The plugin asks for none, but some proxies compress unasked, and others name
 * an encoding that the body does not have: that body is left as it is.
 *
 * @param maxBytes of the decompressed body; decompressing stops beyond it
 */
export async function decodeBody(
  body: Buffer,
  contentEncoding: string,
  maxBytes: number
): Promise<Buffer | "too_large"> {
  const decode = DECODERS.get(contentEncoding.trim().toLowerCase())
  try {
    return (await decode?.(body, { maxOutputLength: maxBytes })) ?? body
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "too_large" : body
  }
}

/**
 * Parses a body as JSON. A byte order mark in front is passed over.
 *
 * @throws when it is not JSON in UTF-8; the error quotes the body
 */
export function parseJson(body: Uint8Array): unknown {
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
}
