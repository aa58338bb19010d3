import type { Words } from "./words"
import { AdminApiError } from "./admin-api"

/** What went wrong, in the reader's language: by the API's code where that has words, else by the answer's status. */
export function apiMessage(error: Error, t: Words): string {
  if (!(error instanceof AdminApiError)) {
    return t("problems.noAnswer")
  }
  const known = error.code === undefined ? "" : t(`problems.${error.code}`, { defaultValue: "" })
  return known === "" ? byStatus(error, t) : known
}

function byStatus({ status, said }: AdminApiError, t: Words): string {
  switch (status) {
    case 401:
      return t("problems.signedOut")
    case 403:
      return t("problems.forbidden")
    case 404:
      return t("problems.notFound")
    case 409:
      return t("problems.busy")
    default:
      return [t(status < 500 ? "problems.notAccepted" : "problems.broken"), isolated(said)].join(" ").trim()
  }
}

/** The API's own English words, kept together within a sentence that runs the other way. */
function isolated(said: string | undefined): string {
  return said === undefined ? "" : `\u2068${said}\u2069`
}
