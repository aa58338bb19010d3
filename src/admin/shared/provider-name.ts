/** `pp_crypto_default` as a merchant wrote it in medusa-config: `default`. */
export function providerName(providerId: string): string {
  return providerId.replace(/^pp_crypto_/, "")
}
