import { promisify } from "node:util"
import { gunzip } from "node:zlib"

const unpack = promisify(gunzip)
const GZIP = /^(?:x-)?gzip$/

/**
 * Undoes gzip, if that is the `Content-Encoding` of a body. The plugin asks for no compression, but some proxies
 * compress unasked. Others name an encoding that the body does not have: such a body stays as it is.
 *
 * @param maxBytes limit of the decompressed body; decompressing stops there
 */
export async function decodeBody(
  body: Buffer,
  contentEncoding: string,
  maxBytes: number
): Promise<Buffer | "too_large"> {
  const named = contentEncoding.split(",").map((name) => name.trim().toLowerCase())
  if (!GZIP.test(named.filter((name) => name !== "identity").join())) {
    return body
  }
  try {
    return await unpack(body, { maxOutputLength: maxBytes })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "too_large" : body
  }
}

/** Parses JSON, with or without a byte order mark. @throws when it is no JSON in UTF-8; the error quotes the body */
export function parseJson(body: Uint8Array): unknown {
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
}
