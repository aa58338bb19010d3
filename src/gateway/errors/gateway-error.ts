/**
 * Base of everything a gateway call can fail with. The list is closed: `GatewayUnavailable`,
 * `GatewayRejected`, `GatewayMalformed`. Switch on `code`, which is stable; `message` is for people and may
 * change.
 *
 * No message, property or cause contains a header, a key or a body, so an error may be logged by `code`.
 */
export abstract class GatewayError extends Error {
  /** Stable across releases. */
  abstract readonly code: "gateway_unavailable" | "gateway_rejected" | "gateway_malformed"

  protected constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
  }
}
