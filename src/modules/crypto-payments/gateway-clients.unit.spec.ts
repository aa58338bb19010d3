import { FakeGateway, raw } from "../../gateway/fake-gateway.spec"
import type { ReadFailure } from "../../decision"
import { GatewayClients } from "./gateway-clients"
import type { CryptoPaymentRequestRow } from "./models/crypto-payment-request"

let gateway: FakeGateway

beforeEach(async () => {
  gateway = new FakeGateway()
  await gateway.start()
})

afterEach(async () => {
  await gateway.stop()
})

/** How a read of a row fails while the gateway answers so. */
async function failureOf(status: number, body: string): Promise<ReadFailure | undefined> {
  gateway.script = [raw(body, status)]
  const { origin } = new URL(gateway.baseUrl)
  const settings = {
    providerId: "pp_crypto_default",
    base_url: gateway.baseUrl,
    origin,
    auth: { type: "none" },
    secret_keys: [],
    timeout_ms: 5000,
  }
  const deps = [
    { find: async () => await Promise.resolve({ ...settings, isConfigured: true }) },
    {},
    { warn: jest.fn() },
  ] as unknown as ConstructorParameters<typeof GatewayClients>
  const clients = new GatewayClients(...deps)
  const row: Partial<CryptoPaymentRequestRow> = {
    id: "cpreq_1",
    provider_id: settings.providerId,
    gateway_origin: origin,
    payment_request_id: "pr_0001",
    failure: null,
  }
  const answer = await clients.read(row as CryptoPaymentRequestRow, "shop")
  return "failure" in answer ? answer.failure : undefined
}

it.each<[ReadFailure, number, string]>([
  ["unknown_to_gateway", 404, '{"successful":false}'],
  ["unknown_to_gateway", 410, '{"successful":false}'],
  ["refused", 200, '{"successful":false}'],
  ["refused", 403, '{"successful":false,"message":"Forbidden"}'],
  ["refused", 401, "<h1>Unauthorized</h1>"],
  // A server in front of the gateway may not know the path.
  ["refused", 404, "<h1>Not found</h1>"],
  ["refused", 404, '{"message":"no Route matched with those values"}'],
  ["refused", 410, ""],
  ["unreadable", 403, "<h1>Forbidden</h1>"],
  ["unreadable", 403, "error code: 1020"],
  ["unreadable", 403, ""],
  ["unreadable", 403, '{"error":"blocked"}'],
  ["unreadable", 400, '{"error":"blocked"}'],
  ["unreadable", 407, ""],
  ["unreadable", 451, "[]"],
])("a read is %s after %i %j", async (failure, status, body) => {
  expect(await failureOf(status, body)).toBe(failure)
})

it("no client is given while the store is paused", async () => {
  const { env } = process
  process.env = { ...env, CRYPTO_PAYMENTS_PAUSED: "true" }
  try {
    await expect(failureOf(200, "{}")).rejects.toMatchObject({ code: "paused" })
    expect(gateway.received).toEqual([])
  } finally {
    process.env = env
  }
})
