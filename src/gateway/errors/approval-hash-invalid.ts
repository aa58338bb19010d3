/**
 * A notification's approval hash does not fit its data. Not a `GatewayError`, because the sender may not be the
 * gateway at all. `verifyApprovalHash` answers a boolean and never throws; this class is for a receiver that
 * wants to refuse by throwing.
 */
export class ApprovalHashInvalid extends Error {
  /** Stable across releases. */
  readonly code = "approval_hash_invalid"

  constructor() {
    super(
      "The notification's approval hash is invalid. Is this the secret key of the API that has this webhook URL, " +
        "and is the data passed as received?"
    )
    this.name = "ApprovalHashInvalid"
  }
}
