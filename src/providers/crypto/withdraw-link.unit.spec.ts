import { PAID } from "../../decision/example-row.spec"
import { DATA, FakeLedger, ROW } from "./fake-ledger.spec"

// Core calls either where it lets a session or a payment go; throwing is the only veto it listens to.
describe.each(["deletePayment", "cancelPayment"] as const)("%s", (method) => {
  const read = ["read", "cpreq_1"]
  let ledger: FakeLedger
  beforeEach(() => {
    ledger = new FakeLedger()
  })

  const letsGo = async (data: Record<string, unknown> | undefined, effects: unknown[][]): Promise<void> => {
    expect(await ledger.provider[method](data === undefined ? {} : { data })).toEqual({ data: data ?? {} })
    expect(ledger.effects).toEqual(effects)
  }
  const vetoes = async (effects: unknown[][]): Promise<void> => {
    await expect(ledger.provider[method]({ data: DATA })).rejects.toMatchObject({
      type: "not_allowed",
      message: "This was paid in crypto and is being confirmed, so it can no longer be changed or replaced.",
    })
    expect(ledger.effects).toEqual(effects)
  }

  it("lets an unpaid link go, and has it watched no more as this session's", async () => {
    await letsGo(DATA, [read, ["withdraw", "cpreq_1", "payses_2"]])
  })

  it("lets it go when the gateway cannot be asked: a customer can always edit the cart", async () => {
    ledger.failure = "unreadable"
    await letsGo(DATA, [read, ["withdraw", "cpreq_1", "payses_2"]])
  })

  it.each([
    ["nothing", undefined],
    ["what holds no ids", {}],
    ["half the ids", { payment_request_id: "pr_1" }],
    ["the other half", { session_id: "payses_2" }],
    ["a session the request was never bound to", { ...DATA, session_id: "payses_9" }],
  ])("tolerates %s", async (_, data) => {
    await letsGo(data, [])
  })

  it("vetoes what turns out to be PAID, writes that down and has it settled", async () => {
    ledger.reading = PAID
    await vetoes([
      read,
      ["activity", "cpreq_1", "refused", { what: "deletion", session_id: "payses_2" }],
      ["due", "cpreq_1"],
    ])
  })

  it("vetoes what a notification has just called PAID, though the read does not show it yet", async () => {
    ledger.reading = { is_reported_paid: true }
    await vetoes([
      read,
      ["activity", "cpreq_1", "refused", { what: "deletion", session_id: "payses_2" }],
      ["due", "cpreq_1"],
    ])
  })

  it("vetoes what a settle records as PAID after the read", async () => {
    ledger.writtenMeanwhile = PAID
    await vetoes([
      read,
      ["withdraw", "cpreq_1", "payses_2"],
      ["activity", "cpreq_1", "refused", { what: "deletion", session_id: "payses_2" }],
      ["due", "cpreq_1"],
    ])
  })

  it("vetoes what was PAID before, without asking the gateway again", async () => {
    ledger.rows = [{ ...ROW, ...PAID }]
    await vetoes([])
  })

  it("vetoes for the session that was paid, also after the link has moved on", async () => {
    ledger.rows = [{ ...ROW, ...PAID, session_id: "payses_3", paid_session_id: "payses_2" }]
    await vetoes([])
  })

  it.each([
    ["that it never paid", { ...PAID, paid_session_id: "payses_3" }],
    ["before anybody paid", {}],
  ])("holds nothing for a session that the link has left, %s, and asks nobody", async (_, changes) => {
    ledger.rows = [{ ...ROW, ...changes, session_id: "payses_3" }]
    await letsGo(DATA, [])
  })

  it("holds nothing when the link moves on while the gateway is asked", async () => {
    ledger.reading = { ...PAID, session_id: "payses_3" }
    await letsGo(DATA, [read])
  })

  it("asks nobody about money that was sent back in full", async () => {
    ledger.rows = [{ ...ROW, ...PAID, state: "refunded" }]
    await letsGo(DATA, [])
  })

  it("vetoes a duplicate that has claimed its session", async () => {
    ledger.isPaidByAnother = true
    ledger.rows = [{ ...ROW, ...PAID, paid_session_id: "payses_2" }]
    await vetoes([])
  })

  it("lets a second payment for the same cart go, and has its case opened", async () => {
    ledger.isPaidByAnother = true
    ledger.reading = PAID
    await letsGo(DATA, [read, ["due", "cpreq_1"]])
  })
})
