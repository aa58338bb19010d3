/** What one order owes and what was paid for it, told without a line of the plugin or of Medusa. Amounts are whole cents. */

/** Each unit of the seeded product, and the shipping of one order. */
export const PRICES = {
  usd: { unit: 1501, shipping: 500 },
  aed: { unit: 5515, shipping: 1835 },
}

export type Currency = keyof typeof PRICES

/** `deleted` is a draft that is gone. */
type Stage = "cart" | "draft" | "placed" | "canceled" | "deleted"

/** Somebody has begun to change the order, and nobody has ended it. */
type OpenChange = "edit" | "transfer" | null

interface Line {
  quantity: number
  fulfilled: number
  /** Announced by the customer and not yet back. Nobody owes these any more. */
  returning: number
  returned: number
}

/** A payment link that somebody was given: from then on it can be paid, whatever becomes of the order. */
interface Link {
  /** What the payer is asked for. */
  amount: number
  currency: Currency
  isPaid: boolean
  /** What the order asked for at the moment of the payment; null when it could not be paid then. */
  owedWhenPaid: number | null
  /** What of it is booked on the order, before refunds. */
  booked: number
  refunded: number
  /** A part was sent back while it was not on the order: from then on it pays for nothing. */
  isBroken: boolean
}

export class OrderModel {
  stage: Stage = "cart"
  /** Of the cart's region, and then of the order. */
  currency: Currency = "usd"
  openChange: OpenChange = null
  /** An admin user has said that it is finished. */
  isClosedByMerchant = false
  /** The customer placed it before paying, so its time can be over. */
  wasPlacedUnpaid = false
  /** Whether the region offers crypto. */
  isProviderOffered = true
  /** The customer's return that is under way, by line. */
  returning: { line: number; quantity: number } | null = null
  readonly lines: Line[] = []
  /** What the merchant took off the price, and what refunds took off it. */
  credits = 0
  /** Cash, a bank transfer: whatever the merchant marked as paid. */
  paidOtherwise = 0
  readonly links: Link[] = []
  /** A payment was more than was owed when it was booked; else it is the merchant who made the order smaller since. */
  cameTooMuch = false
  /** Parts of what was owed that the merchant has asked for on purpose. */
  readonly deposits: number[] = []

  get isLive(): boolean {
    return this.stage === "draft" || this.stage === "placed"
  }

  /** What the customer has to pay in all: what is on its way back is not asked for any more. */
  get charged(): number {
    const units = this.lines.reduce(
      (sum, { quantity, returning, returned }) => sum + quantity - returning - returned,
      0
    )
    const { unit, shipping } = PRICES[this.currency]
    return units * unit + shipping - this.credits
  }

  /** What is on the order's account now. */
  get paid(): number {
    return this.links.reduce((sum, link) => sum + this.onAccount(link), this.paidOtherwise)
  }

  /** Below zero when the order owes its customer. */
  get owed(): number {
    return this.charged - this.paid
  }

  /** What the customer could be asked for now; null when nobody may ask. */
  get askable(): number | null {
    return this.stage === "canceled" || this.stage === "deleted" || this.owed <= 0 ? null : this.owed
  }

  /** What was received and neither sent back nor put on a living order: each cent of it needs a case. */
  unplaced(link: Link): number {
    const received = link.isPaid ? link.amount - link.refunded : 0
    return this.isLive ? Math.max(received - this.onAccount(link), 0) : received
  }

  /**
   * Money is sent back. What the order owes its customer anyway needs nothing else; the rest is taken off its price, so
   * that nobody is asked for it again.
   */
  refund(link: Link, amount: number): void {
    const owedToCustomer = Math.max(-this.owed, 0)
    link.refunded += amount
    if (link.booked > 0 && this.isLive) {
      this.credits += Math.max(amount - owedToCustomer, 0)
    }
    link.isBroken ||= link.booked === 0
  }

  pay(link: Link): void {
    // Two at once: which of them fits is not for the model to say.
    const isAlone = this.links.every((other) => this.unplaced(other) === 0)
    link.owedWhenPaid = isAlone && link.currency === this.currency ? this.askable : null
    link.isPaid = true
  }

  addLine(quantity: number): void {
    this.lines.push({ quantity, fulfilled: 0, returning: 0, returned: 0 })
  }

  /** What is left on the order of what was booked there. Money of another currency pays for nothing. */
  private onAccount({ booked, refunded, currency }: Link): number {
    return booked > 0 && currency === this.currency ? booked - refunded : 0
  }
}

export function toMoney(cents: number): string {
  return (cents / 100).toFixed(2)
}

export function toCents(amount: string | number): number {
  return Math.round(Number(amount) * 100)
}
