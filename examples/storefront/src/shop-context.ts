import { createContext, useContext } from "react"
import type { Region, Store } from "./store"
import type { Language, Texts } from "./texts"

export interface ShopContext {
  store: Store
  language: Language
  texts: Texts
  region: Region | undefined
  placeOrderFirst: boolean
  /** How many pieces the cart holds, for the header. */
  setPieces: (pieces: number) => void
}

export const Context = createContext<ShopContext | undefined>(undefined)

export function useShop(): ShopContext {
  const shop = useContext(Context)
  if (shop === undefined) {
    throw new Error("useShop is for the pages of the shop.")
  }
  return shop
}
