import { createHmac } from "node:crypto"

/** A keyed digest that tells whether two requests are for the same payer, without keeping the e-mail. */
export function payerDigest(emailAddress: string, key: string): string {
  return createHmac("sha256", key).update(`payer:${emailAddress.trim().toLowerCase()}`).digest("hex")
}
