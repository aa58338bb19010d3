import { waitUntil } from "./wait-until"

/** What the sandbox saw of one call to the gateway's API. */
export interface GatewayCall {
  /** When it came, milliseconds. */
  at: number
  method: string
  path: string
  status: number | null
  headers: Record<string, string>
  body: unknown
}

/** What the gateway really has of one payment request. */
export interface GatewayPayment {
  payment_request_id: string
  currency_symbol: string
  amount: string
  note: string | null
  paid_at: string | null
  hidden_reads: number | "until_revealed"
}

export interface Fault {
  endpoint: "create" | "read" | "list" | "balances" | "any"
  kind:
    | "status"
    | "timeout"
    | "reset"
    | "truncated"
    | "cut_json"
    | "slow"
    | "hold"
    | "html"
    | "false_flag"
    | "missing_flag"
    | "wrong_types"
    | "redirect"
    | "huge"
  status?: number
  delayMs?: number
  times?: number
  /** Only reads of this one. */
  payment_request_id?: string
  /** Whether the call takes effect although its answer is spoiled. */
  applied?: "before" | "after"
}

/** The sandbox's control API: the payer, the gateway's moods, and what it saw. */
export class GatewayControl {
  constructor(private readonly url: string) {}

  async reset(): Promise<void> {
    await this.post("/control/reset")
  }

  async setWebhook(url: string): Promise<void> {
    await this.post("/control/webhook", { url })
  }

  /** The payer pays; without `notify` the store is told nothing. */
  async pay(paymentRequestId: string, options: Record<string, unknown> = {}): Promise<void> {
    await this.post(`/control/payments/${paymentRequestId}/pay`, { notify: false, ...options })
  }

  /** Sends a notification and waits for the store's answers. @returns their HTTP statuses */
  async notify(paymentRequestId: string, options: Record<string, unknown> = {}): Promise<number[]> {
    const answer = (await this.post(`/control/payments/${paymentRequestId}/notify`, options)) as {
      statuses: number[]
    }
    return answer.statuses
  }

  async setStatus(paymentRequestId: string, status: string): Promise<void> {
    await this.post(`/control/payments/${paymentRequestId}/status`, { status })
  }

  /** Reads and lists show these fields over the genuine ones, and leave out those of `without`. */
  async bendRecord(
    paymentRequestId: string,
    bent: { fields?: Record<string, unknown>; without?: string[] } = {}
  ): Promise<void> {
    await this.post(`/control/payments/${paymentRequestId}/record`, bent)
  }

  /** Puts any JSON value into the list, as a record of another shop. */
  async putInList(record: unknown): Promise<void> {
    await this.post("/control/list", { record })
  }

  /** Ends a PAID that reads do not show yet. */
  async reveal(paymentRequestId: string): Promise<void> {
    await this.post(`/control/payments/${paymentRequestId}/reveal`)
  }

  /** The true records of everything ever created, whatever the API's reads say. */
  async payments(): Promise<GatewayPayment[]> {
    return (await this.request("GET", "/control/payments")) as GatewayPayment[]
  }

  /** The true record of one. */
  async payment(paymentRequestId: string): Promise<GatewayPayment> {
    return (await this.request("GET", `/control/payments/${paymentRequestId}`)) as GatewayPayment
  }

  async fail(fault: Fault): Promise<void> {
    await this.post("/control/faults", fault)
  }

  /** Matching calls wait until they are released. Time then decides nothing. */
  async hold(endpoint: Fault["endpoint"], options: Omit<Fault, "endpoint" | "kind"> = {}): Promise<void> {
    await this.fail({ ...options, endpoint, kind: "hold" })
  }

  /** The paths of the calls that wait, oldest first. */
  async held(): Promise<string[]> {
    return (await this.request("GET", "/control/held")) as string[]
  }

  /** Waits until so many calls wait. @returns their paths */
  async untilHeld(count: number): Promise<string[]> {
    return await waitUntil(
      async () => await this.held(),
      ({ length }) => length >= count
    )
  }

  /** Lets the oldest so many calls go on, and holds the next as before; without a number, holds none any more. */
  async release(count?: number): Promise<void> {
    await this.post("/control/release", count === undefined ? {} : { count })
  }

  async recover(): Promise<void> {
    await this.request("DELETE", "/control/faults")
  }

  /** How the gateway deals out its list, and what else the sandbox can be told. */
  async change(settings: Record<string, unknown>): Promise<void> {
    await this.post("/control/settings", settings)
  }

  async calls(method?: string): Promise<GatewayCall[]> {
    const calls = (await this.request("GET", "/control/calls")) as (GatewayCall & { body: string | null })[]
    return calls
      .filter((call) => method === undefined || call.method === method)
      .map((call) => ({ ...call, body: JSON.parse(call.body || "null") as unknown }))
  }

  /** Forgets the calls seen so far, and nothing else. */
  async clearCalls(): Promise<void> {
    await this.request("DELETE", "/control/calls")
  }

  private async post(path: string, body: unknown = {}): Promise<unknown> {
    return await this.request("POST", path, body)
  }

  private async request(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(this.url + path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    })
    const text = await response.text()
    if (!response.ok) {
      throw new Error(`sandbox ${method} ${path}: ${String(response.status)} ${text}`)
    }
    return text === "" ? undefined : JSON.parse(text)
  }
}
