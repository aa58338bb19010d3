import type { ErrorBody } from "../../http-contract"
import { t } from "./words"

/** Medusa's own client keeps only the message of an error, and a settings form needs the other fields. */
export class AdminApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody
  ) {
    super(body.message)
  }
}

export const bodyOf = (error: Error | null): ErrorBody => (error instanceof AdminApiError ? error.body : {})

export const isForbidden = (error: Error | null) => error instanceof AdminApiError && error.status === 403

export type Query = Record<string, string | number | string[] | Record<string, string> | undefined>

/** Reads from the plugin's admin API; `path` is below `/admin/crypto-payments`, or whole for one of core's. */
export const get = async <T>(path: string, query: Query = {}): Promise<T> =>
  (await (await send("GET", path + queryString(query))).json()) as T

export const post = async <T>(path: string, body?: unknown): Promise<T> =>
  (await (await send("POST", path, body)).json()) as T

/** Saves a CSV of the API as a file: a plain link would have no token where the admin signs in with one. */
export async function download(path: string, query: Query): Promise<void> {
  const response = await send("GET", path + queryString(query))
  const given = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1]
  const link = document.createElement("a")
  link.href = URL.createObjectURL(await response.blob())
  link.download = given ?? ""
  link.click()
  URL.revokeObjectURL(link.href)
}

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const backend = (__BACKEND_URL__ ?? "").replace(/\/$/, "")
  const request = { method, body: JSON.stringify(body), ...signIn() }
  const url = path.startsWith("/admin/") ? path : `/admin/crypto-payments${path}`
  const response = await fetch(backend + url, request)
  if (!response.ok) {
    const answer = (await response.json().catch(() => ({}))) as ErrorBody
    throw new AdminApiError(response.status, answer)
  }
  return response
}

/** As the dashboard's own client does: by cookie, or by its stored token. */
function signIn(): { headers: Record<string, string>; credentials: RequestCredentials } {
  const headers = { "content-type": "application/json", accept: "application/json" }
  if (__AUTH_TYPE__ !== "jwt") {
    return { headers, credentials: "include" }
  }
  const token = window.localStorage.getItem(__JWT_TOKEN_STORAGE_KEY__ ?? "medusa_auth_token")
  const bearer = token === null ? undefined : { authorization: `Bearer ${token}` }
  return { headers: { ...headers, ...bearer }, credentials: "omit" }
}

function queryString(query: Query): string {
  const parameters = Object.entries(query).flatMap(([name, value = ""]) =>
    Array.isArray(value)
      ? value.map((item) => [`${name}[]`, item])
      : typeof value === "object"
        ? Object.entries(value).map(([operator, item]) => [`${name}[${operator}]`, item])
        : [[name, String(value)]].filter(([, text]) => text !== "")
  )
  const text = new URLSearchParams(parameters).toString()
  return text === "" ? "" : `?${text}`
}

const BY_STATUS: Record<string, string> = { 401: "signedOut", 403: "forbidden", 404: "notFound", 409: "busy" }

export function apiMessage(error: Error): string {
  if (!(error instanceof AdminApiError)) {
    return t("problems.noAnswer")
  }
  const { status, body } = error
  const name = BY_STATUS[status]
  const ofStatus = name && t(`problems.${name}`)
  const permission = status === 403 && body.message?.split("policies: ")[1]
  const ofCode = body.code && t(`problems.${body.code}`, { defaultValue: "" })
  const known = permission ? t("problems.needs", { permission }) : ofCode || ofStatus
  // The text of a fault inside the store does not help a merchant. English words stay together within a sentence that
  // runs the other way.
  const said = status < 500 || body.type === "unexpected_state" ? body.message : undefined
  const words = t(status < 500 ? "problems.notAccepted" : "problems.broken")
  return known || (said === undefined ? words : `${words} \u2068${said}\u2069`)
}
