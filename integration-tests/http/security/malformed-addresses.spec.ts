import { request } from "undici"
import { describeStore } from "../../support/store-under-test"

const BASE = "/admin/crypto-payments"
const UNDECODED = { type: "invalid_data", code: "unusable_address" }

describeStore("what nobody's program sends", (store) => {
  /** The path goes over the wire as it is given. */
  const send = async (method: string, path: string, body?: string): Promise<[number, unknown]> => {
    const { headers } = await store.admin()
    const answer = await request(`${String(store.http.defaults.baseURL)}${path}`, {
      method: method as "GET",
      headers: {
        ...headers,
        "x-publishable-api-key": store.seeded.publishableKey,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body ?? null,
    })
    const text = await answer.body.text()
    return [answer.statusCode, text === "" ? undefined : JSON.parse(text)]
  }

  it.each([
    ["POST", "/hooks/payment/crypto_%ff"],
    ["PUT", "/hooks/payment/pp_crypto_%ed%a0%80"],
    ["POST", "/hooks/payment/%"],
    ["POST", "/hooks/payment/pp_crypt%00o_default"],
    ["GET", "/store/crypto-payments/%ff"],
    ["GET", "/store/crypto-payments/payses_%00"],
    ["GET", `${BASE}/cpreq_%00`],
  ])("%s %s is 400 and not 500", async (method, path) => {
    expect(await send(method, path)).toEqual([400, { ...UNDECODED, message: expect.any(String) }])
  })

  it("of a HEAD is refused like that of its GET", async () => {
    expect(await send("HEAD", "/store/crypto-payments/%ff")).toEqual([400, undefined])
  })

  it.each([
    ["GET", `${BASE}?q=a%00b`, undefined],
    ["GET", `${BASE}?provider_id=%00`, undefined],
    ["POST", `${BASE}/reconciliation`, '{"provider_id":"a\\u0000"}'],
    ["POST", `${BASE}/cpreq_1/resolve`, '{"note":"a\\ud800"}'],
    ["POST", `${BASE}/cpreq_1/refunds`, '{"amount":"1.00","reference":"a\\u0000"}'],
    ["POST", `${BASE}/settings/pp_crypto_default/check`, '{"success_url":"https://shop.example/\\ud800"}'],
  ])("%s %s with a text that Postgres refuses is 400 and not 500: %s", async (method, path, body) => {
    expect(await send(method, path, body)).toEqual([
      400,
      expect.objectContaining({ message: expect.stringMatching(/^Invalid request: /) }),
    ])
  })

  it("has our guard of payment sessions take only a text for a provider", async () => {
    const shopper = store.shopper()
    const collectionId = await shopper.collection(await shopper.cart())
    const path = `/store/payment-collections/${collectionId}/payment-sessions`
    expect((await send("POST", path, '{"provider_id":["pp_crypto_default"]}'))[0]).toBe(400)
    expect(await store.gateway.calls()).toEqual([])
  })

  // If this fails, core has fixed it, and docs/internals/threat-model.md has a sentence too many.
  it("is 500 behind the login where core's first middleware of /admin cannot decode it, and 401 before", async () => {
    expect((await send("GET", `${BASE}/%ff`))[0]).toBe(500)
    expect((await send("GET", "/admin/orders/%ff"))[0]).toBe(500)
    expect((await store.http.get(`${BASE}/%ff`)).status).toBe(401)
  })
})
