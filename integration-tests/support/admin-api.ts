import type { AxiosResponse } from "axios"

/** The admin's API as a merchant who is logged in calls it, by paths below `/admin`. Answers of every status are returned. */
export interface AdminApi {
  get: (path: string) => Promise<AxiosResponse>
  post: (path: string, body?: unknown) => Promise<AxiosResponse>
  delete: (path: string) => Promise<AxiosResponse>
}

export const PROVIDER = "pp_crypto_default"

/** The settings' routes, as an admin user. */
export const settingsDesk = ({ asAdmin }: { asAdmin: AdminApi }) => ({
  /** Reads a path below `/admin/crypto-payments`; without one, the provider's settings. */
  get: (path = `/settings/${PROVIDER}`) => asAdmin.get(`/crypto-payments${path}`),
  post: (body: unknown, path = "", providerId = PROVIDER) =>
    asAdmin.post(`/crypto-payments/settings/${providerId}${path}`, body),
})
