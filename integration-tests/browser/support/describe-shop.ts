import { type EndState, readEndState } from "../../support/end-state"
import { waitUntil } from "../../support/wait-until"
import { ShopperBrowsers, type ShopperBrowser } from "./shop"
import { StoreFromOutside } from "./store"

class ShopTest {
  readonly shoppers = new ShopperBrowsers()
  readonly store = new StoreFromOutside()

  cartOf = async ({ email }: ShopperBrowser): Promise<string> => {
    const cart = await this.store.knex<{ id: string; email: string }>("cart").where({ email }).first("id")
    return cart?.id ?? ""
  }

  /** What Postgres holds of a shopper's cart, once it satisfies. */
  endOf = async (shopper: ShopperBrowser, satisfies = isSettled) => {
    const cartId = await this.cartOf(shopper)
    return await waitUntil(async () => await readEndState(this.store.knex, cartId), satisfies)
  }
}

const isSettled = ({ ledger }: EndState): boolean => ledger.some(({ settled }) => settled)

/** A block of tests with shoppers in browsers of their own; the gateway is well again after each. */
export function describeShop(name: string, tests: (given: ShopTest) => void): void {
  describe(name, () => {
    const given = new ShopTest()
    const { shoppers, store } = given
    afterEach(async () => {
      await store.gateway.recover()
      await shoppers.closeTabs()
    })
    afterAll(async () => {
      await shoppers.close()
      await store.close()
    })
    tests(given)
  })
}
