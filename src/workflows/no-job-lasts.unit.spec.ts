import type { MedusaContainer } from "@medusajs/framework/types"
import auditAtNight from "../jobs/audit-payments"
import reconcileAtNight from "../jobs/reconcile-gateway-list"
import reconcilePaymentRequests from "../jobs/reconcile-payment-requests"
import { WINDOWS } from "../modules/crypto-payments/checks/windows"
import { SettleWorker } from "./settle-worker"

const never = async (): Promise<never> => await new Promise<never>(() => undefined)
const compare = jest.fn(never)
const audit = jest.fn(never)
jest.mock(".", () => ({ reconcileGatewayList: async () => await compare() }))

/** Medusa starts no run of a job before the last one has ended; its Redis engine runs no other job meanwhile either. */
describe("a job ends", () => {
  const none = async (): Promise<never[]> => await Promise.resolve([])
  const sendLeft = jest.fn(none)
  const sweepWindow = jest.fn(async () => await Promise.resolve({ due: [], awaiting: [] }))
  const error = jest.fn()
  const ledger = {
    announcements: { sendLeft, sendLostOrders: none },
    audits: { isDue: async () => await Promise.resolve(true), run: audit },
    reconciliations: { listDue: async (ids: string[]) => await Promise.resolve(ids) },
    sweeps: { sweep: sweepWindow },
    refunds: { takeInterrupted: none },
    settings: { listConfigured: async () => await Promise.resolve(["pp_crypto_a"]) },
    runningSettles: { isStopping: false, sweeps: new Set<string>() },
  }
  const known: Record<string, unknown> = { cryptoPayments: ledger, logger: { error, warn: jest.fn() } }
  const container = { resolve: (name: string) => known[name] } as unknown as MedusaContainer
  const wake = jest.spyOn(SettleWorker.prototype, "wake").mockReturnValue()

  beforeEach(() => {
    jest.useFakeTimers()
    jest.clearAllMocks()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  it("while rows are being settled", async () => {
    jest.spyOn(SettleWorker.prototype, "isIdle", "get").mockReturnValue(false)
    await reconcilePaymentRequests(container)
    expect(wake).toHaveBeenCalled()
  })

  it("although one of its sweeps hangs: the worker is woken before, and the other sweeps run", async () => {
    sendLeft.mockImplementationOnce(never)
    const run = reconcilePaymentRequests(container)
    await jest.advanceTimersByTimeAsync(0)
    expect([wake.mock.calls.length, sweepWindow.mock.calls.length]).toEqual([1, 0])
    await jest.advanceTimersByTimeAsync(30_000)
    await run
    expect([wake.mock.calls.length, sweepWindow.mock.calls.length]).toEqual([2, WINDOWS.length])
    expect(error.mock.calls).toEqual([[expect.stringContaining("the sweep of announcements failed (")]])

    // It would hang again, and keep another connection.
    await reconcilePaymentRequests(container)
    expect([sendLeft.mock.calls.length, sweepWindow.mock.calls.length]).toEqual([1, 2 * WINDOWS.length])
  })

  it("while the gateway's list is being compared", async () => {
    await reconcileAtNight(container)
    expect(compare).toHaveBeenCalled()
  })

  it("while payments are being audited", async () => {
    await auditAtNight(container)
    expect(audit).toHaveBeenCalled()
  })
})
