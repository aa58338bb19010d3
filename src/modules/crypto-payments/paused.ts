import { notAllowed } from "./errors"

const VARIABLE = "CRYPTO_PAYMENTS_PAUSED"

/** For the merchant, at boot. */
export const PAUSED_MESSAGE = `${VARIABLE} is set: the gateway is not read, nothing is settled or completed, and crypto is not offered. Paid orders wait. Unset it and restart the store to go on.`

/**
 * Whether this process leaves all payments alone: for a copy of a database, whose payments another store settles. Only
 * the environment pauses. Any word except `false` and `0` does, so that `1` or `yes` is not taken for "not paused".
 *
 * Rows stay due while it lasts, so the first tick afterwards settles what has waited.
 */
export function isPaused(): boolean {
  return !["", "0", "false"].includes((process.env[VARIABLE] ?? "").trim().toLowerCase())
}

/** @throws MedusaError 400 `paused`; nothing was read or written */
export function refuseWhilePaused(): void {
  if (isPaused()) {
    throw notAllowed(
      `Crypto payments are paused in this store (${VARIABLE}). Nothing was read or changed.`,
      "paused"
    )
  }
}
