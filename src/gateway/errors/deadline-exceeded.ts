/** Internal: the call's deadline passed. The `cause` of the `GatewayUnavailable` the caller gets. */
export class DeadlineExceeded extends Error {
  readonly code = "deadline_exceeded"

  constructor(timeoutMs: number) {
    super(`No answer within ${String(timeoutMs)} ms`)
    this.name = "DeadlineExceeded"
  }
}
