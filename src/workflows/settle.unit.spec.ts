import type { Act, DecidedFacts, Outcome } from "../decision"
import { NOW, OPEN_ROW, PAID, UNCAPTURED } from "../decision/example-row.spec"
import type { CryptoPaymentRequestRow } from "../modules/crypto-payments/models/crypto-payment-request"
import type { MedusaContainer } from "@medusajs/framework/types"
import { SETTLE_ACTS, type PerformAct } from "./core/settle-acts"
import { settle, type Asked } from "./settle"

jest.mock("./core/cart-total", () => ({
  withCartTotal: async (_container: unknown, facts: unknown) => await Promise.resolve(facts),
}))
jest.mock("./core/settle-acts", () => ({ SETTLE_ACTS: {} }))

const ROW = { ...OPEN_ROW, ...PAID, id: "cpreq_1" }
const CAPTURED = { ...UNCAPTURED, payment_id: "pay_1", payment_captured: "20.01", first_captured_at: NOW }
const INTERRUPTED = { ...CAPTURED, order_id: "order_1", first_captured_at: new Date(NOW.getTime() - 120_000) }
const BOOKED = {
  ...CAPTURED,
  order_id: "order_1",
  order_booked: true,
  order_booked_amount: "20.01",
  order_unpaid: "0",
}

/** As core's session binds it, whose id the row did not have. */
const BY_SCHEDULE: Asked = { trigger: "schedule" }

describe("settle", () => {
  let steps: string[]
  let written: Outcome | undefined
  /** Cases that were opened, and entries of the timeline. */
  let noted: unknown[]
  /** What is done once the database answers again. */

  beforeEach(() => {
    steps = []
    noted = []
    written = undefined
  })

  interface Changes {
    /** The row as the check left it. */
    row?: CryptoPaymentRequestRow
    /** What was different before the check. */
    before?: Partial<CryptoPaymentRequestRow>
    asked?: Asked
    /** Of the reading of Medusa. */
    error?: Error
    /** Of the release after an error. */
    releaseError?: Error
    /** Whether the row is still held when it is to be held longer. */
    isHeld?: boolean
    /** When the process is told to stop. */
    stopsAt?: string
  }
  let dueInMs: number | null
  let failed: string | undefined

  /** Runs a settle. @param reads what Medusa has at each read, in order; the last one stays */
  const run = async (
    reads: DecidedFacts[],
    { row = ROW, before, asked = BY_SCHEDULE, error, releaseError, isHeld = true, stopsAt }: Changes = {}
  ): Promise<string[]> => {
    const left = [...reads]
    const act =
      (name: Act): PerformAct =>
      async (_settling, done) => {
        steps.push(name)
        return await Promise.resolve(name === "capture" && done.capture === undefined ? "again" : "done")
      }
    for (const name of ["adopt", "capture", "book", "verify", "expire"] as const) {
      SETTLE_ACTS[name] = act(name)
    }
    const ledger = {
      runningSettles: {
        get isStopping() {
          return stopsAt !== undefined && steps.includes(stopsAt)
        },
        finish: async (work: () => Promise<unknown>) => await work(),
      },
      cases: { open: async (...opened: unknown[]) => await Promise.resolve(noted.push(opened.slice(0, 3))) },
      gateways: {
        check: async () => {
          steps.push("check")
          return await Promise.resolve(row)
        },
      },
      facts: {
        read: async () => {
          if (error !== undefined) {
            throw error
          }
          return await Promise.resolve((left.length > 1 ? left.shift() : left[0]) as DecidedFacts)
        },
      },
      leases: {
        hold: async (_lease: unknown, work: () => Promise<unknown>) => await work(),
        release: async () => await Promise.resolve(void steps.push("release")),
        releaseFailed: async () => {
          if (releaseError !== undefined) {
            throw releaseError
          }
          return await Promise.resolve(7000)
        },
        extend: async () => {
          steps.push("extend")
          return await Promise.resolve(isHeld)
        },
      },
      requests: {
        addActivity: async (...entry: unknown[]) => await Promise.resolve(noted.push(entry)),
        finish: async (_lease: unknown, finished: CryptoPaymentRequestRow, outcome: Outcome) => {
          steps.push("finish")
          written = outcome
          return await Promise.resolve({ ...finished, next_check_at: outcome.nextCheckAt })
        },
      },
      announcements: { send: async () => await Promise.resolve() },
    }
    const logger = { warn: (line: string) => steps.push(line), info: () => undefined }
    const container = { resolve: (name: string) => (name === "logger" ? logger : ledger) }
    const lease = { ...row, ...before, lease_id: "lease_1" }
    ;({ dueInMs, failed } = await settle(container as unknown as MedusaContainer, lease, asked))
    return steps.filter((step) => step !== "extend")
  }

  it("captures, verifies and settles", async () => {
    expect(await run([UNCAPTURED, BOOKED])).toEqual(["check", "capture", "verify", "finish"])
    expect(written).toMatchObject({ cause: "captured", settledAt: NOW, orderId: "order_1" })
    expect([dueInMs, failed]).toEqual([null, undefined])
  })

  it("trusts what is stored, not that core reported success", async () => {
    expect(await run([UNCAPTURED])).toEqual(["check", "capture", "capture", "finish"])
    expect(written).not.toHaveProperty("cause")
  })

  it("goes all the way in four acts: two tries, booking, verifying", async () => {
    const reads = [UNCAPTURED, CAPTURED, INTERRUPTED, BOOKED]
    expect(await run(reads)).toEqual(["check", "capture", "capture", "book", "verify", "finish"])
    expect(written?.settledAt).toEqual(NOW)
  })

  it("leaves a fifth act to the next settle", async () => {
    const changed = { ...UNCAPTURED, asked_amount: "35.02" }
    const twice = { ...BOOKED, order_booked: false, order_booked_amount: "40.02" }
    const waiting = { ...UNCAPTURED, session_amount: null, adopting_collection_id: "pay_col_1" }
    const acts = ["verify", "capture", "capture", "book"]
    expect(await run([changed, UNCAPTURED, UNCAPTURED, twice, waiting])).toEqual(["check", ...acts, "finish"])
    expect(written?.nextCheckAt).toEqual(expect.any(Date))
  })

  it("gives money a session again, and leaves its capture to the next settle", async () => {
    const waiting = { ...UNCAPTURED, session_amount: null, adopting_collection_id: "pay_col_1" }
    const found = { ...UNCAPTURED, adopting_collection_id: null }
    expect(await run([waiting, found])).toEqual(["check", "adopt", "finish"])
    expect(written).toEqual({ orderId: null, capturedAt: null, settledAt: null, nextCheckAt: NOW })
  })

  it("tries again later when the money could not be given a session", async () => {
    expect(await run([{ ...UNCAPTURED, session_amount: null, adopting_collection_id: "pay_col_1" }])).toEqual(
      ["check", "adopt", "finish"]
    )
    expect(written?.attention).toBeUndefined()
    expect(written?.nextCheckAt?.getTime()).toBe(NOW.getTime() + 60_000)
  })

  it("repairs a capture that was booked twice before it verifies", async () => {
    const twice = { ...BOOKED, order_booked: false, order_booked_amount: "40.02" }
    expect(await run([twice, BOOKED])).toEqual(["check", "book", "verify", "finish"])
    expect(written?.settledAt).toEqual(NOW)
  })

  it("holds the row anew before each act", async () => {
    await run([UNCAPTURED, BOOKED])
    expect(steps).toEqual(["check", "extend", "capture", "extend", "verify", "finish"])
  })

  it("does nothing and writes nothing once the row is lost", async () => {
    expect(await run([UNCAPTURED], { isHeld: false })).toEqual([
      "check",
      "crypto payment cpreq_1: another settle has taken it over",
    ])
    expect([written, dueInMs]).toEqual([undefined, null])
  })

  it("leaves the row to another process when this one stops before it has changed Medusa", async () => {
    expect(await run([UNCAPTURED], { stopsAt: "check" })).toEqual(["check", "release"])
    expect([written, dueInMs]).toEqual([undefined, null])
  })

  it("goes on while the process stops once it has changed Medusa, and when nothing is to be changed", async () => {
    const all = ["check", "capture", "verify", "finish"]
    expect(await run([UNCAPTURED, BOOKED], { stopsAt: "capture" })).toEqual(all)
    steps = []
    const row = { ...ROW, paid_at: null, gateway_status: "UNPAID" }
    expect(await run([UNCAPTURED], { row, stopsAt: "check" })).toEqual(["check", "finish"])
  })

  it("takes back the decision when verifying shows that core took the order back", async () => {
    expect(await run([BOOKED, CAPTURED, CAPTURED, CAPTURED])).toEqual([
      "check",
      "verify",
      "capture",
      "capture",
      "finish",
    ])
    expect(written).toMatchObject({ settledAt: null, attention: "paid_without_order" })
  })

  it("says in how many milliseconds the row is due, by the database's clock", async () => {
    await run([UNCAPTURED], { row: { ...ROW, paid_at: null, gateway_status: "UNPAID" } })
    expect(dueInMs).toBe(60_000)
  })

  it("enters what a check has changed in the timeline, with who asked for it", async () => {
    const unpaid = { ...ROW, paid_at: null, gateway_status: "UNPAID" }
    await run([UNCAPTURED], { row: unpaid })
    expect(noted).toEqual([])
    const asked: Asked = { trigger: "admin", by: "user_1" }
    await run([UNCAPTURED], { row: unpaid, before: { gateway_status: "PENDING" }, asked })
    await run([UNCAPTURED], { row: unpaid, before: { failure: "refused" } })
    expect(noted).toEqual([
      ["cpreq_1", "checked", { trigger: "admin", by: "user_1", status: "UNPAID", failure: null }],
      ["cpreq_1", "checked", { trigger: "schedule", status: "UNPAID", failure: null }],
    ])
  })

  it("opens a case for a payment whose settles never end, and goes on", async () => {
    const stuck = { settles_begun: 11, lease_until: NOW }
    expect(await run([UNCAPTURED, BOOKED], { before: stuck })).toEqual([
      "check",
      "capture",
      "verify",
      "finish",
    ])
    expect(noted).toEqual([["cpreq_1", "settle_fails", {}]])
  })

  it("does for an admin user what an admin user has closed the case of", async () => {
    const closed = {
      ...ROW,
      attention_reason: "orphan_paid",
      attention_since: NOW,
      attention_resolved_at: NOW,
    }
    expect(await run([UNCAPTURED, BOOKED], { row: closed })).toEqual(["check", "finish"])
    steps = []
    const asked: Asked = { trigger: "admin" }
    expect(await run([UNCAPTURED, BOOKED], { row: closed, asked })).toContain("capture")
  })

  it("gives its row back when it fails, and says why and when it is due again", async () => {
    expect(await run([UNCAPTURED], { error: new TypeError("no facts") })).toEqual(["check"])
    expect([written, dueInMs, failed]).toEqual([undefined, 7000, "TypeError"])
  })

  it("leaves its row to the end of its lease when the database has failed", async () => {
    const fails = { error: new Error("gone"), releaseError: new Error("gone, too") }
    expect(await run([UNCAPTURED], fails)).toEqual([
      "check",
      "crypto payment cpreq_1: it is settled again when its lease has ended (Error)",
    ])
    expect([dueInMs, failed]).toEqual([null, "Error"])
  })
})
