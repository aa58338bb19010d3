import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { ProviderStatusStore } from "../../../.medusa/server/src/modules/crypto-payments/health/provider-status"
import { describeStore } from "../../support/store-under-test"

const PROVIDER = "pp_crypto_default"
const NONE = {
  last_checkout_failed_at: null,
  last_checkout_failure_code: null,
  last_checkout_failure_host: null,
}

describeStore("the last checkout that failed", (store) => {
  let headers: Record<string, string>

  beforeEach(async () => {
    ;({ headers } = await store.admin())
  })

  const health = async (): Promise<Record<string, unknown>> => {
    const { data } = await store.http.get("/admin/crypto-payments/health", { headers })
    return (data.providers as Record<string, unknown>[])[0] ?? {}
  }
  const settings = async (
    body: Record<string, unknown>
  ): Promise<{ status: number; data: Record<string, unknown> }> =>
    await store.http.post(`/admin/crypto-payments/settings/${PROVIDER}`, body, { headers })
  const startPayment = async (): Promise<number> => {
    const shopper = store.shopper()
    return (await shopper.openSession(await shopper.collection(await shopper.cart()))).status
  }

  it("is none before the first one, and after one that worked", async () => {
    expect(await health()).toMatchObject(NONE)
    await store.shopper().checkout()
    expect(await health()).toMatchObject(NONE)
  })

  it.each([
    ["does not answer", { kind: "reset" }, "gateway_unavailable"],
    ["refuses to create", { kind: "status", status: 403 }, "gateway_refused"],
    ["answers with something else", { kind: "cut_json" }, "gateway_malformed"],
    ["cannot be reached behind a firewall", { kind: "html", status: 403 }, "gateway_refused"],
  ] as const)(
    "is shown with its code and time when the gateway %s, and cleared by the next link",
    async (_, fault, code) => {
      await store.gateway.fail({ endpoint: "create", times: 1, ...fault })
      expect(await startPayment()).toBe(500)
      expect(await health()).toMatchObject({
        last_checkout_failed_at: expect.stringMatching(/^20\d\d-/) as string,
        last_checkout_failure_code: code,
        last_checkout_failure_host: null,
      })
      await store.shopper().checkout()
      expect(await health()).toMatchObject(NONE)
    }
  )

  it("names the host that is not allowed", async () => {
    const { collectionId } = await store.shopper().checkout()
    const { host } = new URL(store.gatewayBaseUrl)
    const saved = await settings({ version: 0, payment_link_hosts: ["https://PAY.other.example/x"] })
    expect(saved.data).toMatchObject({
      settings: { fields: { payment_link_hosts: { value: ["pay.other.example"] } } },
    })
    expect(await startPayment()).toBe(500)
    // Nor is a link from before offered again.
    expect((await store.shopper().openSession(collectionId)).status).toBe(500)
    expect(await health()).toMatchObject({
      last_checkout_failure_code: "link_host_not_allowed",
      last_checkout_failure_host: host,
    })

    await settings({ version: 1, payment_link_hosts: [host] })
    expect(await startPayment()).toBe(200)
    expect(await health()).toMatchObject(NONE)
  })

  it("never begins with a host that no link can have", async () => {
    const hosts = ["https://foo", "bar/x", "???"]
    const { status, data } = await settings({ version: 0, payment_link_hosts: hosts })
    expect([status, data["code"], data["fields"]]).toEqual([400, "invalid", ["payment_link_hosts"]])
    expect(await startPayment()).toBe(200)
  })

  it("is not what a payer did: a cart without an e-mail address, or in a currency the gateway does not take", async () => {
    const shopper = store.shopper()
    const cart = await shopper.cart({ email: null })
    expect((await shopper.openSession(await shopper.collection(cart))).status).toBe(400)
    expect(await health()).toMatchObject(NONE)
  })

  it("is not noted of a provider that a stranger made up", async () => {
    const shopper = store.shopper()
    const collection = await shopper.collection(await shopper.cart())
    await shopper.post(`/payment-collections/${collection}/payment-sessions`, {
      provider_id: "pp_crypto_made-up",
    })
    expect(await store.knex("crypto_payment_provider_status").whereLike("id", "%made-up")).toEqual([])
  })

  it("is written once a minute", async () => {
    const failures = new ProviderStatusStore(
      store.knex,
      store.container.resolve(ContainerRegistrationKeys.LOGGER)
    )
    const stored = async (): Promise<{ at: string; code: string }> => {
      const row = await store.knex("crypto_payment_provider_status").where({ id: PROVIDER }).first()
      return { at: row.last_checkout_failed_at.toISOString(), code: row.last_checkout_failure_code }
    }
    await failures.noteFailed(PROVIDER, { code: "gateway_unavailable", host: null })
    const first = await stored()
    await failures.noteFailed(PROVIDER, { code: "gateway_unavailable", host: null })
    expect(await stored()).toEqual(first)
  })
})
