import type { AxiosInstance } from "axios"
import type { Shopper } from "../support/shopper"
import type { Books } from "./books"
import type { OrderPlacement, Product, Shop } from "./shop"
import type { StoreProcess } from "./store-process"

/** One checkout of one run. What it gets to know is filled in as it goes. */
export interface Checkout {
  email: string
  product: Product
  /** By the database's clock. */
  begunAt: Date
  /** Whether people who got no answer ask again as soon as the store is up, or when everything has come to rest. */
  returns: "at_once" | "later"
  cartId: string
  collectionId: string
  /** The gateway's id of the link the payer has. */
  link: string
  /** What the payer has paid, by the gateway's ids. */
  paid: string[]
}

/** Where a step is taken: in this process, by these people. */
export interface Scene {
  shop: Shop
  at: StoreProcess
  checkout: Checkout
  shopper: Shopper
  admin: AxiosInstance
  /** Ends waiting: the process is held, and nothing more comes of it. */
  signal?: AbortSignal
}

/** Something that somebody outside the store does. */
export interface Step {
  name: string
  /**
   * Whether it is done again when the process died over it. A user who got no answer asks again: `always`, or, when
   * the payment goes on without it, only if that person returns `at_once`. A notification comes once.
   */
  isRepeated: "always" | "at_once" | "never"
  /** @returns what the store answered instead of what was asked for; undefined when it is done */
  take: (scene: Scene) => Promise<string | undefined>
}

/** One way through the plugin, from prepared data to rest. */
export interface Flow {
  name: string
  /** `after_payment` unless told. */
  placement?: OrderPlacement
  /** Brings the checkout to where the flow begins. Nobody is killed here. */
  prepare: (scene: Scene) => Promise<void>
  /** Taken one after the other. The process is killed during these. */
  steps: Step[]
  /** Taken when everything has come to rest. Nobody is killed any more. */
  afterwards?: Step[]
  /** What the database holds at the end, whoever was killed where. */
  end: Books
}
