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
  status?: number | undefined
  retryAfter?: string | undefined
  delayMs?: number | undefined
  /** Calls that it still affects; `Infinity` until cleared. */
  timesLeft: number
  paymentRequestId?: string | undefined
  /** Whether the request takes effect ("after") or not ("before") although its answer is faulty. */
  applied: "before" | "after"
  location?: string | undefined
  bytes?: number | undefined
}

/** These kinds change a real answer, so the request takes effect unless the fault says otherwise. */
export const spoilsRealAnswer = (kind: FaultKind): boolean =>
  ["truncated", "cut_json", "missing_flag", "wrong_types", "huge"].includes(kind)

export const defaultApplied = (kind: FaultKind): Fault["applied"] =>
  spoilsRealAnswer(kind) ? "after" : "before"

export class Faults {
  private list: Fault[] = []
  private lastId = 0

  add(fault: Omit<Fault, "id">): void {
    this.list.push({ ...fault, id: ++this.lastId })
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
