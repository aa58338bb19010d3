import { withoutStaleAnswers } from "./without-stale-answers"

interface Asked {
  method?: string
  query?: { fields?: string; limit?: number }
  cache?: string
  next?: unknown
}

describe("withoutStaleAnswers", () => {
  const ask = async (path: string, request: Asked, answer: unknown = {}) => {
    const asked: [string, Asked?][] = []
    const fetch = async (...call: [string, Asked?]) => {
      asked.push(call)
      return await Promise.resolve(answer)
    }
    const given = await withoutStaleAnswers(fetch)(path, request)
    return { given, asked: asked[0]?.[1] }
  }
  const KEPT = { method: "GET", cache: "force-cache", next: { tags: ["carts-1"] } }

  it.each(["/store/orders", "/store/orders/order_1", "/store/payment-providers"])(
    "always asks for %s",
    async (path) => {
      const { asked } = await ask(path, { ...KEPT, query: { limit: 10 } })
      expect(asked).toEqual({ ...KEPT, query: { limit: 10 }, cache: "no-store" })
    }
  )

  it("also asks whether a cart has become an order, and then there is none", async () => {
    const request = { ...KEPT, query: { fields: "id,region_id" } }
    const open = await ask("/store/carts/cart_1", request, { cart: { id: "cart_1", completed_at: null } })
    expect(open.asked).toEqual({
      ...KEPT,
      cache: "no-store",
      query: { fields: "id,region_id,+completed_at" },
    })
    expect(open.given).toEqual({ cart: { id: "cart_1", completed_at: null } })
    const completed = { cart: { id: "cart_1", completed_at: "2026-01-01T00:00:00Z" } }
    await expect(ask("/store/carts/cart_1", request, completed)).rejects.toMatchObject({ status: 404 })
  })

  it.each([
    ["/store/products", KEPT],
    ["/store/cartsome", KEPT],
    ["/store/carts/cart_1", { method: "POST" }],
    // As the functions of this package ask.
    ["/store/carts/cart_1", { cache: "no-store" }],
  ])("passes other requests on: %s %j", async (path, request) => {
    const completed = { cart: { completed_at: "2026-01-01T00:00:00Z" } }
    const { asked, given } = await ask(path, request, completed)
    expect(asked).toBe(request)
    expect(given).toBe(completed)
  })
})
