import type Medusa from "@medusajs/js-sdk"
import type { HttpTypes } from "@medusajs/types"
import {
  readCryptoPayment,
  recallCryptoPayment,
  type CryptoAmountLimits,
  type CryptoPaymentStatus,
} from "medusa-payment-crypto/storefront"

export type Cart = HttpTypes.StoreCart
export type Order = HttpTypes.StoreOrder
export type Product = HttpTypes.StoreProduct
export type Region = HttpTypes.StoreRegion

export interface Address {
  email: string
  first_name: string
  last_name: string
  address_1: string
  city: string
}

const CART_KEY = "coffee-shop-cart"
const ORDER_KEY = "coffee-shop-order"

/** The cart was paid in the background. It cannot be changed any more. */
export class CartIsPaid extends Error {
  constructor(readonly sessionId: string) {
    super("The cart is paid.")
  }
}

/** The part of the Medusa store that this shop uses, and this browser's cart. */
export class Store {
  constructor(readonly sdk: Medusa) {}

  async regions(): Promise<Region[]> {
    const { regions } = await this.sdk.store.region.list()
    return regions
  }

  async product(regionId: string): Promise<Product | undefined> {
    const { products } = await this.sdk.store.product.list({
      handle: "coffee",
      region_id: regionId,
      fields: "*variants.calculated_price",
    })
    return products[0]
  }

  /** The amounts that the region takes in crypto; undefined without limits. */
  async cryptoLimits(regionId: string): Promise<CryptoAmountLimits | undefined> {
    const { payment_providers } = await this.sdk.store.payment.listPaymentProviders({ region_id: regionId })
    const providers: { id: string; amount_limits?: CryptoAmountLimits }[] = payment_providers
    return providers.find(({ id }) => id === "pp_crypto_default")?.amount_limits
  }

  get cartId(): string | undefined {
    return window.localStorage.getItem(CART_KEY) ?? undefined
  }

  /** @returns undefined without a cart, or when it has become an order */
  async cart(): Promise<Cart | undefined> {
    if (this.cartId === undefined) {
      return undefined
    }
    try {
      const { cart } = await this.sdk.store.cart.retrieve(this.cartId, { fields: "+completed_at" })
      if (!(cart as Cart & { completed_at?: unknown }).completed_at) {
        return cart
      }
      const { orderId } = (await this.payment()) ?? {}
      if (orderId !== undefined) {
        this.leaveCart(orderId)
      }
      return undefined
    } catch (error) {
      throwUnlessNotFound(error)
      return undefined
    }
  }

  /** The payment that was started for this browser's cart; undefined without one, or without an answer. */
  private async payment(): Promise<(CryptoPaymentStatus & { sessionId: string }) | undefined> {
    const started = recallCryptoPayment("")
    if (started === undefined || started.cartId !== this.cartId) {
      return undefined
    }
    const { sessionId } = started
    const read = await readCryptoPayment(this.sdk, started).catch(() => undefined)
    return read && { ...read, sessionId }
  }

  /** @throws CartIsPaid instead of the store's error when such a cart is changed */
  private async unlessPaid<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await change()
    } catch (error) {
      const { status = "", sessionId = "" } = (await this.payment()) ?? {}
      throw ["paid", "processing"].includes(status) ? new CartIsPaid(sessionId) : error
    }
  }

  /** @throws CartIsPaid */
  async addToCart(regionId: string, variantId: string): Promise<Cart> {
    const known = await this.cart()
    if (known === undefined) {
      const { cart } = await this.sdk.store.cart.create({
        region_id: regionId,
        items: [{ variant_id: variantId, quantity: 1 }],
      })
      window.localStorage.setItem(CART_KEY, cart.id)
      return cart
    }
    const { cart } = await this.unlessPaid(
      async () => await this.sdk.store.cart.createLineItem(known.id, { variant_id: variantId, quantity: 1 })
    )
    return cart
  }

  /** @throws CartIsPaid */
  async changeQuantity(cartId: string, itemId: string, quantity: number): Promise<Cart> {
    const carts = this.sdk.store.cart
    if (quantity < 1) {
      const { parent } = await this.unlessPaid(async () => await carts.deleteLineItem(cartId, itemId))
      return parent as Cart
    }
    const { cart } = await this.unlessPaid(
      async () => await carts.updateLineItem(cartId, itemId, { quantity })
    )
    return cart
  }

  /** @throws CartIsPaid */
  async changeRegion(cartId: string, regionId: string): Promise<Cart> {
    const { cart } = await this.unlessPaid(
      async () => await this.sdk.store.cart.update(cartId, { region_id: regionId })
    )
    return cart
  }

  /** Sets the address and the first shipping option, after which the cart can be paid. */
  async deliverTo(cart: Cart, { email, ...address }: Address, countryCode: string): Promise<Cart> {
    const shippingAddress = { ...address, country_code: countryCode }
    await this.sdk.store.cart.update(cart.id, {
      email,
      shipping_address: shippingAddress,
      billing_address: shippingAddress,
    })
    const { shipping_options: options } = await this.sdk.store.fulfillment.listCartOptions({
      cart_id: cart.id,
    })
    const [option] = options
    if (option === undefined) {
      throw new Error("Nothing is delivered there.")
    }
    const { cart: ready } = await this.sdk.store.cart.addShippingMethod(cart.id, { option_id: option.id })
    return ready
  }

  /** @returns undefined when there is none */
  async order(id: string): Promise<Order | undefined> {
    try {
      const { order } = await this.sdk.store.order.retrieve(id)
      return order
    } catch (error) {
      throwUnlessNotFound(error)
      return undefined
    }
  }

  /** The order of this browser's last cart, for a payer who returns without having paid. */
  get lastOrderId(): string | undefined {
    return window.localStorage.getItem(ORDER_KEY) ?? undefined
  }

  /** The cart has become an order. */
  leaveCart(orderId: string): void {
    window.localStorage.setItem(ORDER_KEY, orderId)
    window.localStorage.removeItem(CART_KEY)
  }
}

/** @throws the error, unless it says that there is no such thing */
function throwUnlessNotFound(error: unknown): void {
  if ((error as { status?: number }).status !== 404) {
    throw error
  }
}
