import type { Fault as SandboxFault } from "../../sandbox/fault"
import type { toControlRecord } from "../../sandbox/payment"
import type { ApiCall } from "../../sandbox/state"
import { waitUntil } from "./wait-until"

/** What the sandbox saw of one call to the gateway's API. */
type GatewayCall = Omit<ApiCall, "body"> & { body: unknown }

/** What the gateway really has of one payment request. */
export type GatewayPayment = Pick<
  ReturnType<typeof toControlRecord>,
  "payment_request_id" | "currency_symbol" | "amount" | "note" | "paid_at" | "hidden_reads"
>

export type Fault = Pick<SandboxFault, "endpoint" | "kind" | "status" | "delayMs"> &
  Partial<Pick<SandboxFault, "applied">> & {
    times?: number
    /** Only reads of this one. */
    payment_request_id?: string
  }

type Options = Record<string, unknown>

/** The sandbox's control API: the payer, the gateway's moods, and what it saw. */
export class GatewayControl {
  constructor(private readonly url: string) {}

  reset = () => this.post("/reset")
  setWebhook = (url: string) => this.post("/webhook", { url })

  /** The payer pays; without `notify` the store is told nothing. */
  pay = (id: string, options: Options = {}) => this.post(`/payments/${id}/pay`, { notify: false, ...options })

  /** A part of the coins arrives, and the request stays unpaid. */
  payPart = (id: string) => this.post(`/payments/${id}/part`)

  /** Sends a notification and waits for the store's answers. @returns their HTTP statuses */
  async notify(id: string, options: Options = {}): Promise<number[]> {
    return (await this.post<{ statuses: number[] }>(`/payments/${id}/notify`, options)).statuses
  }

  setStatus = (id: string, status: string) => this.post(`/payments/${id}/status`, { status })

  /** Reads and lists show these fields over the genuine ones, and leave out those of `without`. */
  bendRecord = (id: string, bent: { fields?: Options; without?: string[] } = {}) =>
    this.post(`/payments/${id}/record`, bent)

  /** Puts any JSON value into the list, as a record of another shop. */
  putInList = (record: unknown) => this.post("/list", { record })

  /** Ends a PAID that reads do not show yet. */
  reveal = (id: string) => this.post(`/payments/${id}/reveal`)

  /** The true records of everything ever created, whatever the API's reads say. */
  payments = () => this.request<GatewayPayment[]>("GET", "/payments")
  payment = (id: string) => this.request<GatewayPayment>("GET", `/payments/${id}`)

  fail = (fault: Fault) => this.post("/faults", fault)
  recover = () => this.request("DELETE", "/faults")

  /** Matching calls wait until they are released. Time then decides nothing. */
  hold = (endpoint: Fault["endpoint"], options: Omit<Fault, "endpoint" | "kind"> = {}) =>
    this.fail({ ...options, endpoint, kind: "hold" })

  /** Waits until so many calls wait. @returns their paths, oldest first */
  async untilHeld(count: number): Promise<string[]> {
    return await waitUntil(
      () => this.request<string[]>("GET", "/held"),
      ({ length }) => length >= count
    )
  }

  /** Lets the oldest so many calls go on, and holds the next as before; without a number, holds none any more. */
  release = (count?: number) => this.post("/release", count === undefined ? {} : { count })

  /** How the gateway deals out its list, and what else the sandbox can be told. */
  change = (settings: Options) => this.post("/settings", settings)

  async calls(method?: string): Promise<GatewayCall[]> {
    const calls = await this.request<ApiCall[]>("GET", "/calls")
    return calls
      .filter((call) => method === undefined || call.method === method)
      .map((call) => ({ ...call, body: JSON.parse(call.body || "null") as unknown }))
  }

  /** Forgets the calls seen so far, and nothing else. */
  clearCalls = () => this.request("DELETE", "/calls")

  private async post<Answer>(path: string, body: unknown = {}): Promise<Answer> {
    return await this.request("POST", path, body)
  }

  private async request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.url}/control${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    })
    const text = await response.text()
    if (!response.ok) {
      throw new Error(`sandbox ${method} ${path}: ${String(response.status)} ${text}`)
    }
    return (text === "" ? undefined : JSON.parse(text)) as Answer
  }
}
