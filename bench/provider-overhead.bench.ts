import type { IPaymentModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { readSession } from "../integration-tests/support/shopper"
import { setStock } from "../integration-tests/support/stock"
import { describeStore } from "../integration-tests/support/store-under-test"
import { trafficDuring } from "./support/gateway-traffic"
import { postgresVersion } from "./support/postgres-version"
import { quantiles, ratio, round, type Quantiles } from "./support/quantiles"
import { writeReport, type Table } from "./support/report"

const CHECKOUTS = Number(process.env["BENCH_CHECKOUTS"] ?? 100)
const WARM_UP = 5
const OURS = "pp_crypto_default"
/** Core's own, which asks nobody and agrees to everything. */
const FLOOR = "pp_system_default"

type Method = "initiatePayment" | "authorizePayment"
type ProviderMethods = Record<Method, (input: unknown) => Promise<unknown>>

/** What one request of the shop's took, of it the provider's method, and of that the gateway's answer. */
interface Times {
  request: number
  method: number
  gateway: number
}

jest.setTimeout(30 * 60_000)

describeStore("the provider's share of a checkout", (store) => {
  const took: Record<Method, number> = { initiatePayment: 0, authorizePayment: 0 }

  /** Puts a stopwatch into the very object core calls, so that a checkout over HTTP passes through it. */
  const watchProvider = (): void => {
    const payment = store.container.resolve<IPaymentModuleService & { __container__: unknown }>(
      Modules.PAYMENT
    )
    const provider = (payment.__container__ as Record<string, ProviderMethods>)[OURS]
    for (const method of ["initiatePayment", "authorizePayment"] as const) {
      const original = provider?.[method].bind(provider)
      if (provider === undefined || original === undefined) {
        throw new Error(`core has no provider ${OURS}`)
      }
      provider[method] = async (input) => {
        const startedAt = performance.now()
        try {
          return await original(input)
        } finally {
          took[method] = performance.now() - startedAt
        }
      }
    }
  }

  const timesOf = async (method: Method, request: () => Promise<{ status: number }>): Promise<Times> => {
    took[method] = 0
    let requestMs = 0
    const { answerMs } = await trafficDuring(store.gatewayBaseUrl, async () => {
      const startedAt = performance.now()
      const { status } = await request()
      requestMs = performance.now() - startedAt
      if (status !== 200) {
        throw new Error(`the store answered ${status}`)
      }
    })
    return { request: requestMs, method: took[method], gateway: answerMs }
  }

  /** A shop that opens the payment step, lets the payer pay, and completes the cart itself. */
  const checkOut = async (providerId: string): Promise<Record<Method, Times>> => {
    const shopper = store.shopper()
    const cartId = await shopper.cart()
    const collectionId = await shopper.collection(cartId)
    let body: unknown
    const initiatePayment = await timesOf("initiatePayment", async () => {
      const answer = await shopper.post(`/payment-collections/${collectionId}/payment-sessions`, {
        provider_id: providerId,
      })
      body = answer.data as unknown
      return answer
    })
    if (providerId === OURS) {
      await store.gateway.pay(readSession(body).data.payment_request_id)
    }
    const authorizePayment = await timesOf(
      "authorizePayment",
      async () => await shopper.post(`/carts/${cartId}/complete`)
    )
    return { initiatePayment, authorizePayment }
  }

  /** The gateway's calls of the plugin, as method and path, by how often each happened per checkout. */
  const namedCalls = async (): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {}
    for (const { method, path } of await store.gateway.calls()) {
      const name = `${method} ${path.replace(/payments\/.+$/, "payments/{id}")}`
      counts[name] = (counts[name] ?? 0) + 1
    }
    return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, ratio(count, CHECKOUTS)]))
  }

  it(`${CHECKOUTS} checkouts by each provider`, async () => {
    await setStock(store, 100_000)
    watchProvider()
    for (let i = 0; i < WARM_UP; i++) {
      await checkOut(OURS)
      await checkOut(FLOOR)
    }
    await store.gateway.clearCalls()
    const ours: Record<Method, Times>[] = []
    const floor: Record<Method, Times>[] = []
    for (let i = 0; i < CHECKOUTS; i++) {
      ours.push(await checkOut(OURS))
      floor.push(await checkOut(FLOOR))
    }
    const calls = await namedCalls()
    const methods = [summarize("initiatePayment", ours, floor), summarize("authorizePayment", ours, floor)]
    writeReport("provider-overhead", {
      postgres: await postgresVersion(store.knex),
      table: [...toTable(methods), ...Object.entries(calls).map(([name, each]) => [name, each])],
      figures: { checkoutsByEachProvider: CHECKOUTS, milliseconds: methods, gatewayCallsPerCheckout: calls },
    })
    expect(Object.values(calls).reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(3)
  })
})

type Summary = ReturnType<typeof summarize>

function summarize(method: Method, ours: Record<Method, Times>[], floor: Record<Method, Times>[]) {
  const of = (sides: Record<Method, Times>[], pick: (times: Times) => number): Quantiles =>
    quantiles(sides.map((side) => pick(side[method])))
  /** The method without the gateway's answer. */
  const overhead = of(ours, (times) => times.method - times.gateway)
  const request = of(ours, (times) => times.request)
  return {
    method,
    overhead,
    gateway: of(ours, ({ gateway }) => gateway),
    request,
    requestWithCoresProvider: of(floor, (times) => times.request),
    overheadOverRequest: ratio(overhead.p50, request.p50),
  }
}

function toTable(methods: Summary[]): Table {
  const pair = ({ p50, p95 }: Quantiles): string => `${round(p50)} / ${round(p95)}`
  return [
    [
      "milliseconds, p50 / p95",
      "beyond the gateway",
      "gateway's answer",
      "whole request",
      "request with core's provider",
      "overhead over request",
    ],
    ...methods.map((one) => [
      one.method,
      ...[one.overhead, one.gateway, one.request, one.requestWithCoresProvider].map(pair),
      one.overheadOverRequest,
    ]),
  ]
}
