import { isUtf8 } from "node:buffer"
import { promisify } from "node:util"
import { brotliDecompress, inflateRaw, unzip } from "node:zlib"

type Decoder = (body: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>

// Node's unzip tells gzip and deflate apart itself.
const unpack = promisify(unzip)
const unpackRaw = promisify(inflateRaw)

const DECODERS = new Map<string, Decoder[]>([
  ["gzip", [unpack]],
  ["x-gzip", [unpack]],
  // Some send deflate without its header. Text can be read as such deflate too, and stays as it is.
  ["deflate", [unpack, async (body, limit) => (isUtf8(body) ? body : await unpackRaw(body, limit))]],
  ["br", [promisify(brotliDecompress)]],
])

/**
 * Undoes the `Content-Encoding` of a body. The plugin asks for none, but some proxies compress unasked. Others name an
 * encoding that the body does not have: that body stays as it is.
 *
 * @param maxBytes limit of the decompressed body; decompressing stops there
 */
export async function decodeBody(
  body: Buffer,
  contentEncoding: string,
  maxBytes: number
): Promise<Buffer | "too_large"> {
  const named = contentEncoding.split(",").map((name) => name.trim().toLowerCase())
  const encodings = named.filter((name) => name !== "identity")
  for (const decode of DECODERS.get(encodings.join()) ?? []) {
    try {
      return await decode(body, { maxOutputLength: maxBytes })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
        return "too_large"
      }
    }
  }
  return body
}

/** Parses JSON, with or without a byte order mark. @throws when it is no JSON in UTF-8; the error quotes the body */
export function parseJson(body: Uint8Array): unknown {
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
}
