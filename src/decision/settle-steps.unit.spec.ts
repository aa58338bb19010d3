import { NOTHING_DONE } from "./decide-turn"
import type { DecidedFacts, DecidedRow } from "./decision-input"
import { NOW, OPEN_ROW, PAID, UNCAPTURED } from "./example-row.spec"
import { afterAct, afterCheck, afterFacts, afterLease, type ActStep } from "./settle-steps"

const POLICY = { unpaidOrderTtlMs: null, isAskedByPerson: false }
const ROW: DecidedRow = { ...OPEN_ROW, ...PAID }

const CHECKED = { row: ROW, failure: null, done: NOTHING_DONE, acts: 0 }
const CAPTURING: ActStep<DecidedRow, DecidedFacts> = {
  ...CHECKED,
  wants: "lease",
  acts: 1,
  act: "capture",
  facts: UNCAPTURED,
}

describe("the steps of a settle", () => {
  it("reads Medusa once the gateway was read, with nothing done yet", () => {
    expect(afterCheck({ row: ROW, failure: "refused" })).toEqual({
      wants: "facts",
      row: ROW,
      failure: "refused",
      done: NOTHING_DONE,
      acts: 0,
    })
  })

  it("extends the lease before an act, and counts the act", () => {
    expect(afterFacts(CHECKED, UNCAPTURED, POLICY)).toEqual(CAPTURING)
  })

  it("acts on what was decided once the lease is extended", () => {
    expect(afterLease(CAPTURING)).toEqual({ ...CAPTURING, wants: "act" })
  })

  it("reads Medusa again after an act, and remembers what was done", () => {
    const done = { ...NOTHING_DONE, captures: 1 }
    expect(afterAct(CAPTURING, done)).toEqual({ wants: "facts", row: ROW, failure: null, done, acts: 1 })
  })

  it("ends when nothing is left to do, and dates that by the read it was decided on", () => {
    const canceled = { ...UNCAPTURED, order_id: "order_1", order_canceled: true }
    expect(afterFacts(CHECKED, canceled, POLICY)).toMatchObject({
      wants: "finish",
      row: ROW,
      outcome: { attention: "paid_on_canceled", nextCheckAt: null },
      decidedAt: NOW,
    })
  })

  it("begins a fifth act and no sixth", () => {
    expect(afterFacts({ ...CHECKED, acts: 4 }, UNCAPTURED, POLICY)).toMatchObject({ wants: "lease", acts: 5 })
    expect(afterFacts({ ...CHECKED, acts: 5 }, UNCAPTURED, POLICY)).toMatchObject({ wants: "finish" })
  })
})
