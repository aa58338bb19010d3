import type { CryptoPaymentStorage } from "../memory"

export function memoryStorage(): CryptoPaymentStorage {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
}
