import type { CryptoSettings } from "./settings-contract"

/** Why something that is saved is not used. The API says it as an English sentence; the secrets tell which it is. */
export function settingsProblem({
  problem,
  secrets,
}: Pick<CryptoSettings, "problem" | "secrets">): "unreadable" | "elsewhere" | null {
  if (problem === null) {
    return null
  }
  return Object.values(secrets).some((secret) => secret?.unreadable) ? "unreadable" : "elsewhere"
}
