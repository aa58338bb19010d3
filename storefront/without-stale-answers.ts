/** What the store changes by itself: a paid cart becomes an order, its orders, and the ways to pay that it offers. */
const CHANGED_BY_THE_STORE = /^\/store\/(carts|orders|payment-providers)\b/

interface Kept {
  cache?: string
  query?: { fields?: string }
}

/**
 * For a shop whose server keeps the store's answers (`cache: "force-cache"`), as Medusa's Next.js starter does. Nothing
 * tells such a shop that the store has placed an order. So carts, orders and ways to pay are always asked for, and a cart
 * that has become an order is answered like one that does not exist: the shop then begins another.
 *
 * Requests that are not kept are passed on as they are.
 *
 * @param fetch `sdk.client.fetch`, bound to its client
 */
export function withoutStaleAnswers<Fetch>(fetch: Fetch): Fetch {
  const ask = fetch as (path: unknown, request?: Kept) => Promise<{ cart?: { completed_at?: unknown } }>
  return (async (path: unknown, request?: Kept) => {
    if (request?.cache !== "force-cache" || !CHANGED_BY_THE_STORE.test(String(path))) {
      return await ask(path, request)
    }
    const { fields } = request.query ?? {}
    const isCart = fields !== undefined && String(path).startsWith("/store/carts/")
    const query = isCart ? { ...request.query, fields: `${fields},+completed_at` } : request.query
    const answer = await ask(path, { ...request, ...(query && { query }), cache: "no-store" })
    if (answer.cart?.completed_at) {
      throw Object.assign(new Error("This cart has become an order."), { status: 404 })
    }
    return answer
  }) as Fetch
}
