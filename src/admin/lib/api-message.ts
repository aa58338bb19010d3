import type { Words } from "../hooks/words"
import { AdminApiError } from "./admin-api"

const PROBLEMS = ["unreachable", "refused", "not_this_api", "timeout", "not_configured", "already_running"]

/** What went wrong, in the reader's language where there are words for it, else as the API says it. */
export function apiMessage(error: Error, t: Words): string {
  if (error instanceof AdminApiError && error.code !== undefined && PROBLEMS.includes(error.code)) {
    return t(`problems.${error.code}`)
  }
  return error.message
}
