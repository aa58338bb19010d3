import type { AxiosResponse } from "axios"
import { OrderChanges } from "./order-changes"
import { expectOk } from "./shopper"
import type { StoreUnderTest } from "./store-under-test"

/** For `describeStore`. Nothing answers there: pages are asked for at the store's own address. */
export const STORE_URL = "https://store.example/backend"
export const WITH_PUBLIC_URL = { CRYPTO_PAYMENTS_PUBLIC_URL: STORE_URL }

/** Pay pages of orders, as a merchant makes them and as whoever has the address opens them. */
export class PayPages {
  readonly changes: OrderChanges

  constructor(private readonly store: Pick<StoreUnderTest, "asAdmin" | "http" | "knex" | "seeded">) {
    this.changes = new OrderChanges(store)
  }

  draft = async (quantity = 1): Promise<string> => await this.changes.draft({ quantity })

  /** @returns the admin's answer */
  give = async (orderId: string, body: object = {}): Promise<AxiosResponse> =>
    await this.store.asAdmin.post(`/crypto-payments/orders/${orderId}/pay-page`, body)

  /** @returns the page's address */
  async of(orderId: string, body: object = {}): Promise<string> {
    return expectOk("pay-page", await this.give(orderId, body))["url"] as string
  }

  get = async (url: string, headers: Record<string, string> = {}): Promise<AxiosResponse<string>> =>
    await this.store.http.get(this.pathOf(url), { headers, responseType: "text" })

  head = async (url: string): Promise<AxiosResponse<string>> => await this.store.http.head(this.pathOf(url))

  /** Presses the page's button, without following the answer. */
  pay = async (
    url: string,
    body: string | Buffer = "",
    contentType = "application/x-www-form-urlencoded"
  ): Promise<AxiosResponse<string>> =>
    await this.store.http.post(this.pathOf(url), body, {
      headers: { "content-type": contentType },
      maxRedirects: 0,
      responseType: "text",
      transformRequest: (sent: unknown) => sent,
    })

  /** The same, where there is something to pay. @returns the row of the link that the page led to */
  async link(url: string) {
    const { status, headers, data } = await this.pay(url)
    const row = await this.store
      .knex("crypto_payment_request")
      .where({ payment_link: String(headers["location"]) })
      .first()
    if (status !== 303 || row === undefined) {
      throw new Error(`the page led to no link: ${String(status)} ${String(headers["location"])} ${data}`)
    }
    return row
  }

  /** What a reader of the page gets: its words. */
  async read(url: string): Promise<string> {
    const { data } = await this.get(url)
    return data
      .replaceAll(/<(style|script)>[\s\S]*?<\/\1>/g, "")
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
  }

  private readonly pathOf = (url: string): string => url.replace(STORE_URL, "")
}
