export const ENDPOINTS = ["create", "read", "list", "balances"] as const
export type Endpoint = (typeof ENDPOINTS)[number]

export const FAULT_KINDS = [
  "status",
  "timeout",
  "reset",
  "truncated",
  "cut_json",
  "slow",
  "hold",
  "html",
  "false_flag",
  "missing_flag",
  "wrong_types",
  "redirect",
  "huge",
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export interface Fault {
  id: number
  endpoint: Endpoint | "any"
  kind: FaultKind
  status?: number
  retryAfter?: string
  delayMs?: number
  /** Calls that it still affects; `Infinity` until cleared. */
  timesLeft: number
  paymentRequestId?: string
  /** Whether the request takes effect ("after") or not ("before") although its answer is faulty. */
  applied: "before" | "after"
  location?: string
  bytes?: number
}

/** These kinds change a real answer, so the request takes effect unless the fault says otherwise. */
export const SPOILS_A_REAL_ANSWER: readonly FaultKind[] = [
  "truncated",
  "cut_json",
  "missing_flag",
  "wrong_types",
  "huge",
]

export function defaultApplied(kind: FaultKind): "before" | "after" {
  return SPOILS_A_REAL_ANSWER.includes(kind) ? "after" : "before"
}

export class Faults {
  private list: Fault[] = []
  private lastId = 0

  add(fault: Omit<Fault, "id">): Fault {
    const added = { ...fault, id: ++this.lastId }
    this.list.push(added)
    return added
  }

  /** The oldest fault that matches the call, counted down. */
  take(endpoint: Endpoint, paymentRequestId: string | undefined): Fault | undefined {
    const fault = this.list.find(
      (each) =>
        (each.endpoint === "any" || each.endpoint === endpoint) &&
        (each.paymentRequestId === undefined || each.paymentRequestId === paymentRequestId)
    )
    if (fault && --fault.timesLeft <= 0) {
      this.list = this.list.filter((each) => each !== fault)
    }
    return fault
  }

  clear(): void {
    this.list = []
  }

  /** Removes the faults that hold calls, and no other. */
  clearHolds(): void {
    this.list = this.list.filter(({ kind }) => kind !== "hold")
  }

  toJson() {
    return this.list.map(({ timesLeft, paymentRequestId, ...fault }) => ({
      ...fault,
      times_left: timesLeft === Infinity ? "until_cleared" : timesLeft,
      payment_request_id: paymentRequestId ?? null,
    }))
  }
}
