import type { AxiosInstance, AxiosResponse } from "axios"
import type { SeededStore } from "../../examples/store/src/seed"

/** The admin's API of a merchant who is logged in, by paths below `/admin`. Answers of every status are returned. */
export interface AdminApi {
  get: (path: string) => Promise<AxiosResponse>
  post: (path: string, body?: unknown) => Promise<AxiosResponse>
  delete: (path: string) => Promise<AxiosResponse>
}

/** A store's HTTP interface, and who its admin user is. */
type StoreWithAdmin = { http: AxiosInstance; seeded: SeededStore }

/** Headers of a store's admin user, by a new log-in each time: the token says what the user may do. */
export async function logIn({ http, seeded }: StoreWithAdmin): Promise<{ headers: Record<string, string> }> {
  const { data } = await http.post<{ token: string }>("/auth/user/emailpass", seeded.admin)
  return { headers: { authorization: `Bearer ${data.token}` } }
}

/** The admin's API of a store, as its admin user. */
export const adminOf = (store: StoreWithAdmin): AdminApi => ({
  get: async (path) => await store.http.get(`/admin${path}`, await logIn(store)),
  post: async (path, body = {}) => await store.http.post(`/admin${path}`, body, await logIn(store)),
  delete: async (path) => await store.http.delete(`/admin${path}`, await logIn(store)),
})

export const PROVIDER = "pp_crypto_default"

/** The settings' routes, as an admin user. */
export const settingsDesk = ({ asAdmin }: { asAdmin: AdminApi }) => ({
  /** Reads a path below `/admin/crypto-payments`; without one, the provider's settings. */
  get: (path = `/settings/${PROVIDER}`) => asAdmin.get(`/crypto-payments${path}`),
  post: (body: unknown, path = "", providerId = PROVIDER) =>
    asAdmin.post(`/crypto-payments/settings/${providerId}${path}`, body),
})
