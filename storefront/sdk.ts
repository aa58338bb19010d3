/** The part of a js-sdk `client.fetch` call that is used here. */
export interface StorefrontRequest {
  method?: "GET" | "POST"
  headers?: Record<string, string>
  body?: Record<string, unknown>
  signal?: AbortSignal | null
  cache?: "no-store"
}

/**
 * The part of `@medusajs/js-sdk` that is used: pass `new Medusa({ baseUrl, publishableKey })`, or anything that behaves
 * like it. Answers of 300 and above are thrown as an error with `status`.
 */
export interface StorefrontSdk {
  client: { fetch<T>(path: string, request?: StorefrontRequest): Promise<T> }
}

/** The HTTP status of an error of the js-sdk; undefined when there was no answer. */
export function httpStatusOf(error: unknown): number | undefined {
  const status = (error as { status?: unknown } | undefined)?.status
  return typeof status === "number" ? status : undefined
}
