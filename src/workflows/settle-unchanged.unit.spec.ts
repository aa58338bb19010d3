import { NOW, OPEN_ROW, UNCAPTURED } from "../decision/example-row.spec"
import type { PaymentRequest } from "../gateway"
import type { GatewayAnswer } from "../modules/crypto-payments/gateway-clients"
import type { SettlementFacts } from "../modules/crypto-payments/payment-requests/core-facts"
import type { DueRow } from "../modules/crypto-payments/payment-requests/queue"
import type { UnchangedRow } from "../modules/crypto-payments/payment-requests/store"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { settleUnchanged } from "./settle-unchanged"

const RECORD = {
  paymentStatus: "UNPAID",
  paymentStatusReceived: "UNPAID",
  amount: "20.01000000000000",
  currencySymbol: "USD",
  ignoredFields: [],
} as unknown as PaymentRequest

const row = (id: string, changes: Partial<DueRow> = {}): DueRow =>
  ({ ...OPEN_ROW, id, lease_id: `lease_${id}`, version: "1", gateway_status: "UNPAID", ...changes }) as DueRow
const record = (changes: Partial<PaymentRequest> = {}): GatewayAnswer => ({
  record: { ...RECORD, ...changes },
  move: null,
})

describe("a batch of unpaid rows", () => {
  let answers: Record<string, GatewayAnswer>
  let facts: Record<string, Partial<SettlementFacts>>
  let writtenMeanwhile: string[]
  let written: UnchangedRow[]
  let running: Set<string>
  let asked: string[]

  beforeEach(() => {
    answers = facts = {}
    writtenMeanwhile = []
    written = []
    running = new Set()
    asked = []
  })

  const settle = async (rows: DueRow[], readFacts?: () => never): Promise<[string, unknown][]> => {
    const ledger = {
      runningSettles: {
        begin: ({ id }: DueRow) => running.add(id),
        end: ({ id }: DueRow) => running.delete(id),
      },
      gateways: {
        ask: async ({ id }: DueRow, pool: string) => {
          asked.push(`${id} ${pool} ${String(running.has(id))}`)
          return await Promise.resolve(answers[id] ?? record())
        },
      },
      settings: { unpaidOrderTtlMs: async () => await Promise.resolve(null) },
      facts: {
        readAll: async (ids: string[]) => {
          readFacts?.()
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
    const left = await settleUnchanged(ledger as unknown as CryptoPaymentsModuleService, rows)
    expect([...running]).toEqual([])
    return left.map(({ lease, answer }) => [lease.id, answer])
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
    ["has a field that cannot be kept", record({ ignoredFields: ["ref_id"] })],
    ["could not be read", { failure: "unreadable" }],
    ["was found at another address", { ...record(), move: {} } as GatewayAnswer],
  ])("leaves a row that %s to a settle of its own, with the answer", async (_, answer) => {
    answers = { a: answer }
    expect(await settle([row("a"), row("b")])).toEqual([["a", answer]])
    expect(written.map(({ lease }) => lease.id)).toEqual(["b"])
  })

  it.each<[string, Partial<SettlementFacts>, Partial<DueRow>]>([
    ["something is to be done for it", { order_id: "order_1", order_unpaid: "10", link_amount: "10" }, {}],
    ["its order is new to it", { order_id: "order_1", order_unpaid: "20.01", link_amount: "20.01" }, {}],
    [
      "its order was paid another way",
      { order_id: "order_1", paid_by_another: true, order_unpaid: "0", link_amount: "0" },
      { order_id: "order_1" },
    ],
    ["it has a case", {}, { attention_reason: "link_not_replaced" }],
  ])("leaves a row to a settle of its own when %s", async (_, found, changes) => {
    facts = { a: found }
    expect(await settle([row("a", changes), row("b")])).toEqual([["a", record()]])
  })

  it("leaves a row that was written meanwhile", async () => {
    writtenMeanwhile = ["a"]
    expect(await settle([row("a"), row("b")])).toEqual([["a", record()]])
  })

  it("leaves all when Medusa cannot be read", async () => {
    const broken = (): never => {
      throw new Error("the database is gone")
    }
    expect(await settle([row("a"), row("b")], broken)).toEqual([
      ["a", record()],
      ["b", record()],
    ])
  })
})
