import { useEffect, useState } from "react"
import {
  readCryptoOrder,
  type CryptoOrder,
  type CryptoOrderState,
  type ReadCryptoOrderOptions,
  type StorefrontSdk,
} from "../index"

/** Which order to read, with `sdk` in this browser or `read` elsewhere. One of the two is required. */
export interface UseCryptoOrderOptions extends Omit<ReadCryptoOrderOptions, "headers"> {
  /** The shop's js-sdk. Not needed with `read`. */
  sdk?: StorefrontSdk | undefined
  /** Reads the order elsewhere, for example in a Next.js server action that calls `readCryptoOrder`. */
  read?: ((order: ReadCryptoOrderOptions) => Promise<CryptoOrder>) | undefined
}

/** What to show, and what the payer can do next. */
export interface CryptoOrderShown extends Omit<CryptoOrder, "state"> {
  /** `unreachable`: the store did not answer. */
  state: CryptoOrderState | "loading" | "unreachable"
  /** Whether the page is asking the store. */
  isReading: boolean
  readAgain: () => void
}

type Known = Omit<CryptoOrderShown, "readAgain">

const NOTHING: Known = { state: "loading", isReading: true }

/** Reads an order once, and again when it is told to. */
export function useCryptoOrder(options: UseCryptoOrderOptions): CryptoOrderShown {
  const { sdk, read, orderId, paymentCollectionId } = options
  if (sdk === undefined && read === undefined) {
    throw new Error("give `sdk` or `read`")
  }
  const [known, setKnown] = useState(NOTHING)
  const [round, setRound] = useState(0)
  // Another order.
  useEffect(() => {
    setKnown(NOTHING)
  }, [orderId])

  // Not when `read` is another function: a page may make one with each render.
  useEffect(() => {
    let isCurrent = true
    const show = (order: Omit<Known, "isReading">) => {
      if (isCurrent) {
        setKnown({ ...order, isReading: false })
      }
    }
    setKnown((before) => ({ ...before, isReading: true }))
    const place = { orderId, paymentCollectionId }
    void (read?.(place) ?? readCryptoOrder(sdk as StorefrontSdk, place)).then(show, () => {
      show({ state: "unreachable" })
    })
    return () => {
      isCurrent = false
    }
  }, [orderId, paymentCollectionId, round])
  const readAgain = () => {
    setRound((before) => before + 1)
  }
  return { ...known, readAgain }
}
