/** One thing that breaks a rule. */
export interface AuditFinding {
  rule: string
  message: string
  /** Rows of `crypto_payment_request`. Empty when the money belongs to none. */
  request_ids: string[]
  order_ids: string[]
  /** Of `provider_missing` only: the provider that is missing. */
  provider_id?: string
}

/** @see docs/admin-api.md, "Audit" */
export interface AuditReport {
  /** The database's time. */
  ran_at: string
  duration_ms: number
  checked: { payments: number; captures: number; refunds: number }
  /** At most a hundred of each rule. */
  findings: AuditFinding[]
  /** How many there are, those that are not shown among them. */
  found: number
  /** The rules that were looked for, also those whose query did not end in time. */
  rules: string[]
  /** Rules whose query did not end in time: of these nothing is known. */
  incomplete: string[]
}
