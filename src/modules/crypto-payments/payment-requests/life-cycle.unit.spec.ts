import { REQUEST_STATES } from "../models/crypto-payment-request"
import { TRANSITIONS } from "./life-cycle"

const reachableFrom = (state: string): Set<string> => {
  const reached = new Set<string>()
  const open = [state]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { from, to } of Object.values(TRANSITIONS)) {
      if ((from as readonly string[]).includes(next) && !reached.has(to)) {
        reached.add(to)
        open.push(to)
      }
    }
  }
  return reached
}

describe("the life cycle of a payment request", () => {
  it("reaches every state from a new row", () => {
    expect([...reachableFrom("creating"), "creating"].sort()).toEqual([...REQUEST_STATES].sort())
  })

  it.each(["paid", "captured", "refunded"])("never makes a %s request unpaid again", (state) => {
    const unpaid = ["creating", "open", "superseded", "closed"]
    expect([...reachableFrom(state)].filter((reached) => unpaid.includes(reached))).toEqual([])
  })

  it("makes a request paid only by a read of the gateway", () => {
    const causes = Object.entries(TRANSITIONS)
      .filter(([, { from, to }]) => to === "paid" && !(from as readonly string[]).includes("paid"))
      .map(([cause]) => cause)
    expect(causes).toEqual(["read_as_paid"])
  })

  it("captures and refunds only what is paid", () => {
    const before = Object.values(TRANSITIONS)
      .filter(({ to }) => to === "captured" || to === "refunded")
      .flatMap(({ from }) => from)
    expect([...new Set(before)].sort()).toEqual(["captured", "paid", "refunded"])
  })

  it("can record PAID in every state that is not paid", () => {
    expect(TRANSITIONS.read_as_paid.from).toEqual(["creating", "open", "superseded", "closed"])
  })
})
