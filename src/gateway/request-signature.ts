import { createHmac } from "node:crypto"

/** What `requestSignature` signs. */
export interface RequestSignatureInput {
  /** Upper case: `GET`, `POST`. */
  method: string
  /** The URL's whole pathname as it is sent, the prefix of `baseUrl` included, without the query. */
  path: string
  /** Unix time in whole seconds. */
  timestamp: number
  secretKey: string
}

/**
 * The request signature of `auth: {type: "signature"}`: lowercase hex HMAC-SHA256, keyed with the secret key, over
 * method + path + timestamp with nothing between. Body and query are not signed.
 *
 * @returns 64 lowercase hex digits
 * @see the public Pallapay SDKs; the gateway interface does not say how requests are authenticated. Known answers in
 * docs/gateway.md
 */
export function requestSignature(input: RequestSignatureInput): string {
  const { method, path, timestamp, secretKey } = input
  return createHmac("sha256", secretKey)
    .update(`${method}${path}${String(timestamp)}`, "utf8")
    .digest("hex")
}
