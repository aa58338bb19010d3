import { createHash } from "node:crypto"
import { Markup } from "./markup"

// Each has characters that the coin's real addresses cannot have: a wallet refuses it, so nothing can be sent there.
const STARTS: Record<string, string> = {
  BTC: "bc1qsandbox0",
  LTC: "ltc1qsandbox0",
  ETH: "0xSandbox",
  USDC: "0xSandbox",
  USDT: "T0Sandbox",
  TRX: "T0Sandbox",
}

/** Looks like a wallet address and is none. */
export function sampleAddress(paymentRequestId: string, coin: string): string {
  const tail = createHash("sha256").update(`${coin}:${paymentRequestId}`).digest("hex")
  return `${STARTS[coin] ?? "sandbox0"}${tail.slice(0, 26)}`
}

const SIDE = 29
const FINDER = 7

/** A picture like a QR code, drawn from the text's hash. Deliberately not scannable. */
export function sampleCode(text: string, label: Markup): Markup {
  const bits = bitsOf(text)
  let path = ""
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      if (isDark(x, y, bits)) {
        path += `M${x} ${y}h1v1h-1z`
      }
    }
  }
  return new Markup(
    `<svg class="code" viewBox="-2 -2 ${SIDE + 4} ${SIDE + 4}" role="img" aria-label="${label.text}"` +
      ` shape-rendering="crispEdges"><rect x="-2" y="-2" width="${SIDE + 4}" height="${SIDE + 4}" fill="#fff"/>` +
      `<path d="${path}" fill="#10201d"/></svg>`
  )
}

function isDark(x: number, y: number, bits: (index: number) => boolean): boolean {
  const far = SIDE - FINDER
  for (const [left, top] of [
    [0, 0],
    [far, 0],
    [0, far],
  ] as const) {
    const dx = x - left
    const dy = y - top
    if (dx >= -1 && dx <= FINDER && dy >= -1 && dy <= FINDER) {
      const ring = Math.max(Math.abs(dx - 3), Math.abs(dy - 3))
      return ring === 3 || ring <= 1
    }
  }
  return x === 6 || y === 6 ? (x + y) % 2 === 0 : bits(y * SIDE + x)
}

function bitsOf(text: string): (index: number) => boolean {
  const bytes = Buffer.concat(
    [0, 1, 2, 3].map((part) => createHash("sha256").update(`${part}:${text}`).digest())
  )
  return (index) => (((bytes[(index >> 3) % bytes.length] ?? 0) >> (index & 7)) & 1) === 1
}
