/** Who bears the gateway's fee; a merchant setting in the real gateway's dashboard. */
export type FeePaidBy = "BUYER" | "MERCHANT"

/** How the sandbox answers `GET /api/payments`; paging is unspecified, so a client must survive all of these. */
export type ListBehaviour = "normal" | "ignore_page" | "repeat_pages" | "shuffle"

/** What the sandbox asks of API requests. Everything given is checked; a request that fails one check gets a 401. */
export interface SandboxAuth {
  bearerToken?: string
  basic?: { username: string; password: string }
  /** Header names are case-insensitive. */
  headers?: Record<string, string>
  /** Lower-case hex HMAC-SHA256 over METHOD + path + unix seconds; `secretKey` defaults to the sandbox's. */
  signature?: {
    apiKey: string
    secretKey?: string
    headerNames?: { apiKey?: string; timestamp?: string; sign?: string }
    toleranceS?: number
  }
}

/** What `POST /control/settings` can change while the sandbox runs. */
export interface SandboxSettings {
  feePaidBy: FeePaidBy
  /** Percent of the fiat amount, a plain decimal string. */
  feePercent: string
  /** Wait between a payment and its notification. */
  notificationDelayMs: number
  /** Deliveries tried per notification; 1 turns retries off. */
  notificationAttempts: number
  /** First pause between two tries; it doubles each time. */
  notificationBackoffMs: number
  notificationTimeoutMs: number
  /** How long the "Pay late" button lets the payer go before the payment counts as PAID. */
  latePaymentMs: number
  listBehaviour: ListBehaviour
  listPageSize: number
}

/**
 * How the sandbox is started. Only `secretKey` has to be given; a malformed option is an Error naming it. Times in
 * milliseconds.
 */
export interface SandboxOptions {
  /** 0 takes any free port. Default 4010. */
  port?: number
  /** Default 127.0.0.1. The control API has no password: think before opening it to a network. */
  host?: string
  /** Address written into payment links, when the sandbox is reached through another name. */
  publicUrl?: string
  /** Key of the approval hash in every notification. */
  secretKey: string
  /** Where notifications go. Without it they are recorded and not sent. */
  webhookUrl?: string
  /** Requests are checked only when this is given. */
  auth?: SandboxAuth
  merchantId?: string
  merchantName?: string
  notificationDelayMs?: number
  feePaidBy?: FeePaidBy
  feePercent?: string | number
  /** Gets one line per API call and delivery. */
  log?: (line: string) => void
}

/** A sandbox that runs, as `startSandbox` gives it. It keeps everything in memory and forgets it when closed. */
export interface Sandbox {
  /** For example `http://127.0.0.1:4010`. */
  url: string
  /** `url` with the version prefix: what a client takes as its base URL. */
  baseUrl: string
  port: number
  /** Stops at once: open sockets are destroyed, timers and deliveries dropped. */
  close(): Promise<void>
  /** `undefined` stops sending; notifications are still recorded. */
  setWebhookUrl(url: string | undefined): void
}
