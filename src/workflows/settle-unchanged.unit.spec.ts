import { NOW, OPEN_ROW, UNCAPTURED } from "../decision/example-row.spec"
import type { MedusaContainer } from "@medusajs/framework/types"
import type { PaymentRequest } from "../gateway"
import type { DecidedFacts } from "../decision"
import type { GatewayAnswer } from "../modules/crypto-payments/gateway-clients"
import type { DueRow } from "../modules/crypto-payments/payment-requests/queue"
import type { UnchangedRow } from "../modules/crypto-payments/payment-requests/store"
import { settleUnchanged } from "./settle"

const RECORD = {
  paymentStatus: "UNPAID",
  paymentStatusReceived: "UNPAID",
  amount: "20.01000000000000",
  currencySymbol: "USD",
} as unknown as PaymentRequest

const row = (id: string, changes: Partial<DueRow> = {}): DueRow =>
  ({ ...OPEN_ROW, id, lease_id: `lease_${id}`, version: "1", gateway_status: "UNPAID", ...changes }) as DueRow
const UNREADABLE: GatewayAnswer = {
  failure: "unreadable",
  problem: { problem: "unreachable", message: "no answer" },
}

const record = (changes: Partial<PaymentRequest> = {}): GatewayAnswer => ({
  record: { ...RECORD, ...changes },
})

describe("a batch of unpaid rows", () => {
  let answers: Record<string, GatewayAnswer>
  let facts: Record<string, Partial<DecidedFacts>>
  let writtenMeanwhile: string[]
  let written: UnchangedRow[]
  let isRunning: boolean
  let asked: string[]
  let released: string[]
  let logged: string[]
  let isStopping: boolean

  beforeEach(() => {
    answers = facts = {}
    released = []
    logged = []
    isStopping = false
    writtenMeanwhile = []
    written = []
    isRunning = false
    asked = []
  })

  /** @returns the rows that are given back */
  const settle = async (
    rows: DueRow[],
    fail: (what: string) => void = () => undefined
  ): Promise<string[]> => {
    const ledger = {
      runningSettles: {
        isStopping,
        finish: async (work: () => Promise<void>) => {
          isRunning = true
          await work()
          isRunning = false
        },
      },
      leases: {
        release: async ({ id }: DueRow) => {
          released.push(id)
          await Promise.resolve()
          fail("release")
        },
      },
      gateways: {
        read: async ({ id }: DueRow, pool: string) => {
          asked.push(`${id} ${pool} ${String(isRunning)}`)
          await Promise.resolve()
          fail(`read ${id}`)
          return answers[id] ?? record()
        },
      },
      facts: {
        readAll: async (ids: string[]) => {
          fail("facts")
          return await Promise.resolve(new Map(ids.map((id) => [id, { ...UNCAPTURED, ...facts[id] }])))
        },
      },
      requests: {
        finishUnchanged: async (unchanged: UnchangedRow[]) => {
          written = unchanged.filter(({ lease }) => !writtenMeanwhile.includes(lease.id))
          return await Promise.resolve(written.map(({ lease }) => lease.id))
        },
      },
    }
    const logger = { warn: (line: string) => logged.push(line) }
    const container = { resolve: (name: string) => (name === "logger" ? logger : ledger) }
    await settleUnchanged(container as unknown as MedusaContainer, rows)
    expect(isRunning).toBe(false)
    return released
  }
  const failing =
    (...what: string[]) =>
    (now: string): void => {
      if (what.includes(now)) {
        throw new Error("the database is gone")
      }
    }

  it("is read over the connections for settling, each row once and held meanwhile", async () => {
    const ids = Array.from("abcdefgh")
    await settle(ids.map((id) => row(id)))
    expect(asked).toEqual(ids.map((id) => `${id} settling true`))
  })

  it("ends with the next checks of those of which nothing has changed", async () => {
    expect(await settle([row("a"), row("b")])).toEqual([])
    expect(written.map(({ lease, read, nextCheckAt }) => [lease.id, read, nextCheckAt])).toEqual([
      ["a", RECORD, new Date(NOW.getTime() + 60_000)],
      ["b", RECORD, new Date(NOW.getTime() + 60_000)],
    ])
  })

  it.each<[string, GatewayAnswer]>([
    ["is paid", record({ paymentStatus: "PAID", paymentStatusReceived: "UNPAID" })],
    ["is in another status", record({ paymentStatusReceived: "EXPIRED" })],
    ["could not be read", UNREADABLE],
  ])("gives back a row that %s", async (_, answer) => {
    answers = { a: answer }
    expect(await settle([row("a"), row("b")])).toEqual(["a"])
    expect(written.map(({ lease }) => lease.id)).toEqual(["b"])
  })

  it.each<[string, Partial<DecidedFacts>, Partial<DueRow>]>([
    [
      "something is to be done for it",
      { order_id: "order_1", order_unpaid: "20.01", order_expires_at: new Date(0) },
      { order_id: "order_1" },
    ],
    ["its order is new to it", { order_id: "order_1", order_unpaid: "20.01" }, {}],
    [
      "its order was paid another way",
      { order_id: "order_1", paid_by_another: true, order_unpaid: "0" },
      { order_id: "order_1" },
    ],
    ["it has a case", {}, { attention_reason: "order_not_canceled" }],
  ])("gives back a row when %s", async (_, found, changes) => {
    facts = { a: found }
    expect(await settle([row("a", changes), row("b")])).toEqual(["a"])
  })

  it("gives back a row that was written meanwhile", async () => {
    writtenMeanwhile = ["a"]
    expect(await settle([row("a"), row("b")])).toEqual(["a"])
  })

  it("gives back a row whose read throws, and reads the others", async () => {
    const ids = Array.from("abcdefgh")
    const rows = ids.map((id) => row(id))
    expect(await settle(rows, failing("read a"))).toEqual(["a"])
  })

  it("gives back all when Medusa cannot be read, and says so", async () => {
    expect(await settle([row("a"), row("b")], failing("facts"))).toEqual(["a", "b"])
    expect(logged).toEqual([
      expect.stringMatching(/^crypto payments: a batch of due rows is settled one by one \(.+\)$/),
    ])
  })

  it("ends although the database takes no row back", async () => {
    answers = { a: UNREADABLE }
    expect(await settle([row("a"), row("b")], failing("release"))).toEqual(["a"])
  })

  it("is given back unread while the process stops", async () => {
    isStopping = true
    expect(await settle([row("a"), row("b")])).toEqual(["a", "b"])
  })
})
