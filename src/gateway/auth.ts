import { createHmac } from "node:crypto"
import { validateHeaderName, validateHeaderValue } from "node:http"
import type { SignatureHeaderNames } from "./auth-types"
import { SIGNATURE_HEADERS } from "./dialect"

/** What an `auth` function is given to sign. */
export interface GatewayAuthRequest {
  method: "GET" | "POST"
  /** Query included. */
  url: string
  /** The pathname as sent, prefix of `baseUrl` included, query not. */
  path: string
  /** The exact JSON text that is sent, null for reads. */
  body: string | null
}

/** Headers by name. */
export type GatewayHeaders = Record<string, string>

/**
 * How requests are authenticated. The interface does not say, so it is an option. The function form is called once per
 * call, within the deadline, and its headers serve all attempts. If it throws, the call fails with
 * `GatewayUnavailable`.
 *
 * @see gateway interface, "Authentication of API requests: not shown"; docs/gateway.md
 */
export type GatewayAuth =
  | { type: "none" }
  | { type: "bearer"; token: string }
  | { type: "basic"; username: string; password: string }
  | { type: "headers"; headers: GatewayHeaders }
  | {
      type: "signature"
      apiKey: string
      /** Left out: the client's `secretKey`. */
      secretKey?: string
      /** Left out: `X-Palla-Api-Key`, `X-Palla-Timestamp`, `X-Palla-Sign`. */
      headerNames?: SignatureHeaderNames
    }
  | ((request: GatewayAuthRequest) => GatewayHeaders | Promise<GatewayHeaders>)

/** Called once per call. */
export type Authenticator = (request: GatewayAuthRequest) => GatewayHeaders | Promise<GatewayHeaders>

// They frame the message: with a wrong one, a server can read one request as two.
const FRAMING_HEADERS = new Set(["connection", "content-length", "host", "transfer-encoding", "upgrade"])

/** @param secretKey the default key of `signature` @throws TypeError naming the option, never its value */
export function createAuthenticator(auth: GatewayAuth, secretKey: string | undefined): Authenticator {
  if (typeof auth === "function") {
    return async (request) => checkHeaders(await auth(request), "the headers of the auth function")
  }
  switch (auth.type) {
    case "none":
      return constant({}, "auth")
    case "bearer":
      return constant({ authorization: `Bearer ${requireText(auth.token, "auth.token")}` }, "auth.token")
    case "basic": {
      const username = requireText(auth.username, "auth.username")
      if (username.includes(":")) {
        throw new TypeError("auth.username must not contain a colon")
      }
      const text = `${username}:${requireText(auth.password, "auth.password")}`
      return constant({ authorization: `Basic ${Buffer.from(text, "utf8").toString("base64")}` }, "auth")
    }
    case "headers":
      return constant(auth.headers, "auth.headers")
    case "signature":
      return signing(auth, secretKey)
    default:
      throw new TypeError("auth.type must be none, bearer, basic, headers or signature")
  }
}

function signing(
  auth: Extract<GatewayAuth, { type: "signature" }>,
  defaultKey: string | undefined
): Authenticator {
  const secretKey = requireText(auth.secretKey ?? defaultKey, "auth.secretKey (or secretKey)")
  requireText(auth.apiKey, "auth.apiKey")
  const nameOf = (part: keyof SignatureHeaderNames): string =>
    auth.headerNames?.[part] ?? SIGNATURE_HEADERS[part]
  const sign = ({ method, path }: GatewayAuthRequest): GatewayHeaders => {
    const timestamp = Math.floor(Date.now() / 1000)
    return {
      [nameOf("apiKey")]: auth.apiKey,
      [nameOf("timestamp")]: String(timestamp),
      [nameOf("signature")]: requestSignature({ method, path, timestamp, secretKey }),
    }
  }
  // Sign once now, so that a bad name or key stops the start and not the first payment.
  checkHeaders(sign({ method: "GET", url: "", path: "", body: null }), "auth.apiKey or auth.headerNames")
  return sign
}

/** What `requestSignature` signs. */
export interface RequestSignatureInput {
  /** Upper case. */
  method: string
  /** The whole pathname as sent, prefix of `baseUrl` included, without the query. */
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

function constant(headers: GatewayHeaders, option: string): Authenticator {
  const checked = checkHeaders(headers, option)
  return () => checked
}

function requireText(value: unknown, option: string): string {
  if (typeof value !== "string" || value === "") {
    throw new TypeError(`${option} must be a non-empty string`)
  }
  return value
}

// Node's own checks, here and not in the transport, because an error must not show the value.
function checkHeaders(headers: unknown, what: string): GatewayHeaders {
  if (typeof headers !== "object" || headers === null) {
    throw new TypeError(`${what} must be an object of header names and values`)
  }
  const checked: [string, string][] = []
  for (const [name, value] of Object.entries(headers) as [string, unknown][]) {
    const text = requireText(value, what)
    let valid = !FRAMING_HEADERS.has(name.toLowerCase())
    try {
      validateHeaderName(name)
      validateHeaderValue(name, text)
    } catch {
      // Node's message is about servers; our message below says what to look for.
      valid = false
    }
    if (!valid) {
      throw new TypeError(
        `${what} cannot be sent as a header: look for blanks, line breaks and special characters`
      )
    }
    checked.push([name.toLowerCase(), text])
  }
  return Object.fromEntries(checked)
}
