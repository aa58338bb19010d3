import { decimal, divide, multiply } from "./decimal"

export interface Coin {
  symbol: string
  name: string
  /** US dollars for one coin. Fixed, so that tests can rely on them. */
  usdRate: string
}

export const COINS: readonly Coin[] = [
  { symbol: "USDT", name: "Tether", usdRate: "1" },
  { symbol: "BTC", name: "Bitcoin", usdRate: "64000" },
  { symbol: "ETH", name: "Ethereum", usdRate: "3200" },
  { symbol: "USDC", name: "USD Coin", usdRate: "1" },
  { symbol: "LTC", name: "Litecoin", usdRate: "80" },
  { symbol: "TRX", name: "Tron", usdRate: "0.125" },
]

export const DEFAULT_COIN = "USDT"

/** Dirhams for one US dollar: the official peg. */
const AED_PER_USD = "3.6725"

export const FIATS = ["AED", "USD"] as const

export const findCoin = (symbol: string): Coin | undefined => COINS.find((coin) => coin.symbol === symbol)

/** The amount of `coin` that is worth `amount` (units of 10^-14) of the fiat currency. */
export function quote(amount: bigint, currencySymbol: string, coin: Coin): bigint {
  const usdRate = decimal(coin.usdRate)
  return divide(amount, currencySymbol === "AED" ? multiply(usdRate, decimal(AED_PER_USD)) : usdRate)
}
