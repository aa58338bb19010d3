import { type EndState, readEndState } from "../../support/end-state"
import { waitUntil } from "../../support/wait-until"
import { ShopperBrowsers, type ShopperBrowser } from "./shop"
import { StoreFromOutside } from "./store"

export interface ShopTest {
  shoppers: ShopperBrowsers
  store: StoreFromOutside
  cartOf: (shopper: ShopperBrowser) => Promise<string>
  /** What Postgres holds of a shopper's cart, once it satisfies. */
  endOf: (shopper: ShopperBrowser, satisfies?: (state: EndState) => boolean) => Promise<EndState>
}

const isSettled = ({ ledger }: EndState): boolean => ledger.some(({ settled }) => settled)

/** A block of tests with shoppers in browsers of their own; the gateway is well again after each. */
export function describeShop(name: string, tests: (given: ShopTest) => void): void {
  describe(name, () => {
    const shoppers = new ShopperBrowsers()
    const store = new StoreFromOutside()
    const cartOf = async ({ email }: ShopperBrowser): Promise<string> => {
      const cart = await store.knex<{ id: string; email: string }>("cart").where({ email }).first("id")
      return cart?.id ?? ""
    }
    afterEach(async () => {
      await store.gateway.recover()
      await shoppers.closeTabs()
    })
    afterAll(async () => {
      await shoppers.close()
      await store.close()
    })
    tests({
      shoppers,
      store,
      cartOf,
      endOf: async (shopper, satisfies = isSettled) => {
        const cartId = await cartOf(shopper)
        return await waitUntil(async () => await readEndState(store.knex, cartId), satisfies)
      },
    })
  })
}
