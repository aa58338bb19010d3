import { Markup } from "./markup"

/** Colour and strokes of each coin's sign, drawn on 24 by 24: fonts without these characters show the same. */
const SIGNS: Record<string, { colour: string; path: string }> = {
  USDT: { colour: "#1f8a6b", path: "M7 7h10M12 7v11M6.5 11.5c0 1.5 11 1.5 11 0s-11-1.5-11 0" },
  BTC: {
    colour: "#b8650a",
    path: "M9 6v12M9 6h4a3 3 0 0 1 0 6H9h5a3 3 0 0 1 0 6H9M11 4v2m3-2v2m-3 12v2m3-2v2",
  },
  ETH: { colour: "#5468c8", path: "M12 4 7 12l5 3 5-3zM7 14.5 12 20l5-5.5" },
  USDC: {
    colour: "#2567b5",
    path: "M15.5 9a3.5 2.5 0 0 0-7 0c0 3.5 7 2.5 7 6a3.5 2.5 0 0 1-7 0M12 5v2m0 10v2",
  },
  LTC: { colour: "#5d6b80", path: "M11 6 9 18h8M7.5 14l7-3" },
  TRX: { colour: "#c0312f", path: "M6 6l9 2 4 4-7 8zM6 6l7.5 7L15 8m-1.5 5L12 20m1.5-7L19 12" },
}

/** The name of the coin is next to the sign, so the sign is not read out. */
export function coinSign(symbol: string): Markup {
  const { colour, path } = SIGNS[symbol] ?? { colour: "#555", path: "M12 8a4 4 0 1 0 .1 0" }
  return new Markup(
    `<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="12" fill="${colour}"/>` +
      `<path d="${path}" fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" ` +
      `transform="translate(2.4 2.4) scale(.8)"/></svg>`
  )
}
