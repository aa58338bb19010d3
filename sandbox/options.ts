/** Who bears the gateway's fee; a merchant setting in the real gateway's dashboard. */
export type FeePaidBy = "BUYER" | "MERCHANT"

/** How the sandbox answers `GET /api/payments`. The interface does not specify paging, so clients must handle all. */
export type ListBehaviour = "normal" | "ignore_page" | "repeat_pages" | "shuffle"

/** What the sandbox requires of API requests. A request that fails one check gets a 401. */
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
  /** With the "Pay late" button: how long after the payer left the payment counts as PAID. */
  latePaymentMs: number
  listBehaviour: ListBehaviour
  listPageSize: number
}

/** Only `secretKey` is required. A malformed option throws an Error that names it. Times in milliseconds. */
export interface SandboxOptions {
  /** 0 takes any free port. Default 4010. */
  port?: number
  /** Default 127.0.0.1. The control API has no password: think before you open it to a network. */
  host?: string
  /** Address written into payment links, if the sandbox is reached through another name. */
  publicUrl?: string
  /** Key of the approval hash in every notification. */
  secretKey: string
  /** Where notifications are sent. Without it they are only recorded. */
  webhookUrl?: string
  /** Without it, requests are not checked. */
  auth?: SandboxAuth
  merchantId?: string
  merchantName?: string
  notificationDelayMs?: number
  feePaidBy?: FeePaidBy
  feePercent?: string | number
  /** Gets one line per API call and delivery. */
  log?: (line: string) => void
}

/** A running sandbox. It keeps everything in memory and forgets it when closed. */
export interface Sandbox {
  /** For example `http://127.0.0.1:4010`. */
  url: string
  /** `url` with the version prefix: what a client takes as its base URL. */
  baseUrl: string
  port: number
  /** Stops at once: sockets are destroyed, timers and deliveries dropped. */
  close(): Promise<void>
  /** `undefined` stops sending; notifications are still recorded. */
  setWebhookUrl(url: string | undefined): void
}
