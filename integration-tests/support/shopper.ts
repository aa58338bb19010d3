import type { AxiosInstance, AxiosResponse } from "axios"
import type { SeededStore } from "../../examples/store/src/seed"

/** What a storefront sees of our payment session: exactly these keys. */
export interface SessionData {
  session_id: string
  payment_request_id: string
  payment_link: string
  amount: string
  currency_code: string
}

export interface PreparedCheckout {
  cartId: string
  collectionId: string
  session: { id: string; data: SessionData }
}

interface CartOptions {
  currency?: "usd" | "aed"
  email?: string | null
}

/** Where guests have their orders sent, in a country of the currency's region. */
export const guestAddress = (currency: "usd" | "aed") => ({
  first_name: "Aisha",
  last_name: "Rahman",
  address_1: "1 Creek Road",
  city: "Dubai",
  postal_code: "00000",
  country_code: currency === "usd" ? "us" : "ae",
})

/** A guest with the publishable key, shopping over HTTP like any storefront. */
export class Shopper {
  private readonly headers: Record<string, string>

  constructor(
    private readonly http: AxiosInstance,
    private readonly seeded: SeededStore,
    /** A cart as `cart()` makes it, made before; undefined when there is none. */
    private readonly takeCart: () => string | undefined = () => undefined
  ) {
    this.headers = { "x-publishable-api-key": seeded.publishableKey }
  }

  post = (path: string, body: unknown = {}): Promise<AxiosResponse> =>
    this.http.post(`/store${path}`, body, { headers: this.headers })
  get = (path: string): Promise<AxiosResponse> => this.http.get(`/store${path}`, { headers: this.headers })
  delete = (path: string): Promise<AxiosResponse> =>
    this.http.delete(`/store${path}`, { headers: this.headers })

  /** A cart of 20.01 USD (73.50 would be its total in AED, with the AED region's own shipping price). */
  async cart({ currency = "usd", email = "guest@example.test" }: CartOptions = {}): Promise<string> {
    const made = currency === "usd" && email === "guest@example.test" ? this.takeCart() : undefined
    if (made !== undefined) {
      return made
    }
    const created = await this.must(
      this.post("/carts", {
        region_id: this.seeded.regions[currency],
        ...(email === null ? {} : { email }),
        shipping_address: guestAddress(currency),
        items: [{ variant_id: this.seeded.variantId, quantity: 1 }],
      })
    )
    const { id } = created["cart"] as { id: string }
    await this.must(this.post(`/carts/${id}/shipping-methods`, { option_id: this.seeded.shippingOptionId }))
    return id
  }

  async collection(cartId: string): Promise<string> {
    const created = await this.must(this.post("/payment-collections", { cart_id: cartId }))
    return (created["payment_collection"] as { id: string }).id
  }

  async openSession(collectionId: string, data?: Record<string, unknown>, provider = "pp_crypto_default") {
    return await this.post(`/payment-collections/${collectionId}/payment-sessions`, {
      provider_id: provider,
      ...(data === undefined ? {} : { data }),
    })
  }

  /** A cart with a payment link, ready to be paid. */
  async checkout(options: CartOptions = {}, provider?: string): Promise<PreparedCheckout> {
    const cartId = await this.cart(options)
    const collectionId = await this.collection(cartId)
    const session = readSession(await this.must(this.openSession(collectionId, undefined, provider)))
    return { cartId, collectionId, session }
  }

  /** What the return page asks. @param cartId proves that the shopper knows the cart */
  statusOf = (sessionId: string, cartId: string): Promise<AxiosResponse> =>
    this.http.get(`/store/crypto-payments/${sessionId}`, {
      headers: { ...this.headers, "x-cart-id": cartId },
    })

  complete = (cartId: string) => this.post(`/carts/${cartId}/complete`)

  private must = async (answer: Promise<AxiosResponse>) => expectOk("the store", await answer)
}

/** @throws unless a path of the store answered 200 */
export function expectOk(path: string, { status, data }: AxiosResponse): Record<string, unknown> {
  if (status !== 200) {
    throw new Error(`${path} answered ${String(status)}: ${JSON.stringify(data)}`)
  }
  return data as Record<string, unknown>
}

export function readSession(body: unknown): PreparedCheckout["session"] {
  const { payment_collection } = body as {
    payment_collection: { payment_sessions: { id: string; data: SessionData }[] }
  }
  const [session] = payment_collection.payment_sessions
  if (session === undefined) {
    throw new Error("the collection has no payment session")
  }
  return session
}
