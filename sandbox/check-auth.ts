import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { SandboxAuth } from "./options"

export interface AuthRequest {
  method: string
  /** As requested, with the version prefix and without the query. */
  path: string
  headers: Record<string, string>
}

/** @returns why the request is refused, or undefined when it passes every check */
export function checkAuth(
  auth: SandboxAuth,
  request: AuthRequest,
  secretKey: string,
  nowMs: number
): string | undefined {
  const authorization = request.headers["authorization"]
  if (auth.bearerToken !== undefined && !same(authorization, `Bearer ${auth.bearerToken}`)) {
    return "Bearer token missing or wrong"
  }
  if (auth.basic) {
    const pair = `${auth.basic.username}:${auth.basic.password}`
    if (!same(authorization, `Basic ${Buffer.from(pair, "utf8").toString("base64")}`)) {
      return "Basic credentials missing or wrong"
    }
  }
  for (const [name, value] of Object.entries(auth.headers ?? {})) {
    if (!same(request.headers[name.toLowerCase()], value)) {
      return `Header ${name} missing or wrong`
    }
  }
  return auth.signature ? checkSignature(auth.signature, request, secretKey, nowMs) : undefined
}

function checkSignature(
  signature: NonNullable<SandboxAuth["signature"]>,
  { method, path, headers }: AuthRequest,
  secretKey: string,
  nowMs: number
): string | undefined {
  const names = signature.headerNames ?? {}
  const header = (name: string) => headers[name.toLowerCase()]
  if (!same(header(names.apiKey ?? "X-Palla-Api-Key"), signature.apiKey)) {
    return "API key missing or wrong"
  }
  const timestamp = header(names.timestamp ?? "X-Palla-Timestamp") ?? ""
  const age = Math.abs(nowMs / 1000 - Number(timestamp))
  if (!/^\d{1,12}$/.test(timestamp) || age > (signature.toleranceS ?? 300)) {
    return "Timestamp missing or too far from now"
  }
  const expected = createHmac("sha256", signature.secretKey ?? secretKey)
    .update(method + path + timestamp)
    .digest("hex")
  return same(header(names.sign ?? "X-Palla-Sign"), expected)
    ? undefined
    : "Request signature missing or wrong"
}

function same(given: string | undefined, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  return given !== undefined && timingSafeEqual(digest(given), digest(expected))
}
