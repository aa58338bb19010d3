/** Where a started payment is kept until its payer returns. `localStorage` and `sessionStorage` match. */
export interface CryptoPaymentStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** What a return page needs and must not take from its URL. */
export interface RememberedCryptoPayment {
  sessionId: string
  cartId: string
  /** Milliseconds since 1970. */
  startedAt: number
}

const KEY = "medusa-payment-crypto"
/** Two tabs with two carts are usual; more than this many are not. */
const KEPT = 8
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** `localStorage`, because wallets often open the shop in a new tab. Undefined on a server, or if it is forbidden. */
export function browserStorage(): CryptoPaymentStorage | undefined {
  try {
    return typeof window === "undefined" ? undefined : window.localStorage
  } catch {
    // Reading the property throws where cookies are blocked. Then the page shows the status without the order's number.
    return undefined
  }
}

/** Remembers which cart a payment session pays. Paying goes on if the storage is full or forbidden. */
export function rememberCryptoPayment(
  payment: Omit<RememberedCryptoPayment, "startedAt">,
  storage = browserStorage(),
  now = Date.now()
): void {
  const { sessionId, cartId } = payment
  const others = readAll(storage, now).filter((other) => other.sessionId !== sessionId)
  write(storage, [{ sessionId, cartId, startedAt: now }, ...others].slice(0, KEPT))
}

/**
 * The payment of a session, else the one started last: with a reused payment link, the return URL still names its first
 * session. A wrong cart is harmless, because the store gives an order's id only for the right one.
 */
export function recallCryptoPayment(
  sessionId: string,
  storage = browserStorage(),
  now = Date.now()
): RememberedCryptoPayment | undefined {
  const all = readAll(storage, now)
  return all.find((payment) => payment.sessionId === sessionId) ?? all[0]
}

/** For logging out on a shared computer. */
export function forgetCryptoPayments(storage = browserStorage()): void {
  try {
    storage?.removeItem(KEY)
  } catch {
    // If the storage is forbidden, nothing was kept either.
  }
}

function readAll(storage: CryptoPaymentStorage | undefined, now: number): RememberedCryptoPayment[] {
  try {
    const all = JSON.parse(storage?.getItem(KEY) ?? "[]") as unknown[]
    return all.filter(isRemembered).filter(({ startedAt }) => now - startedAt < KEPT_MS)
  } catch {
    // Forbidden, or written by somebody else.
    return []
  }
}

function write(storage: CryptoPaymentStorage | undefined, all: RememberedCryptoPayment[]): void {
  try {
    storage?.setItem(KEY, JSON.stringify(all))
  } catch {
    // A full or forbidden storage: the payer sees the status without the order's number.
  }
}

function isRemembered(value: unknown): value is RememberedCryptoPayment {
  const { sessionId, cartId, startedAt } = (value ?? {}) as Partial<Record<string, unknown>>
  return typeof sessionId === "string" && typeof cartId === "string" && typeof startedAt === "number"
}
