import { once } from "node:events"
import { connect } from "node:net"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { AxiosResponse } from "axios"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { startSandbox, type Sandbox } from "../../../dist/sandbox"
import { seedStore } from "../../../examples/store/src/seed"
import { ECHOES, startEchoingGateway, type Echo, type EchoingGateway } from "../../support/echoing-gateway"
import type { Fault } from "../../support/gateway-control"
import { everythingHeard } from "../../support/heard-events"
import { Leaks, type Canary, type Place } from "../../support/leaks"
import { notificationData, sign, signedBody } from "../../support/notification"
import { endOf, ledgerRow, payAndNotify, payOrphan, placePaidOrder } from "../../support/paid-checkout"
import { readSinceNotified, settleDue } from "../../support/settle-due"
import { describeStore, SECRET_KEY } from "../../support/store-under-test"

const PROVIDER = "pp_crypto_default"
const BASE = "/admin/crypto-payments"
const VARIABLE = "CRYPTO_PAYMENTS_ENCRYPTION_KEY"
const KEY = Buffer.from("canary-encryption-key-0123456789").toString("base64")
const OTHER_KEY = Buffer.from("canary-other-encr-key-0123456789").toString("base64")
/** What the sandbox asks for. */
const TOKEN = "integration-token"
const EMAIL = "canary-payer@example.test"
const FORMER_KEY = "canary-former-secret-key"

const SECRETS = {
  "the secret key": SECRET_KEY,
  "a former secret key": FORMER_KEY,
  "the token": TOKEN,
  "another token": "canary-token",
  "a password": "canary-password",
  "a name and password as they are sent": Buffer.from("canary-user:canary-password").toString("base64"),
  "a header": "canary-header-of-auth",
  "an API key": "canary-api-key",
  "the key of request signatures": "canary-signature-key",
  "the encryption key": KEY,
  "another encryption key": OTHER_KEY,
  "the key of logins": "canary-jwt-secret",
  "the key of cookies": "canary-cookie-secret",
}
/** Hashes of approvals and signatures of requests. */
const HASH = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/i
const SENT = {
  "a header that a visitor sent": "canary-visitors-header",
  "a field of a forged notification": "canary-forged",
  "a field of a genuine notification": "canary-genuine",
  "a body that is no JSON": "canary-garbage",
  "a setting that was refused": "canary-setting",
  "a field that is not in the gateway's interface": "canary-additional",
}
/** Core shows a cart to who knows its id, and an order to its admin. */
const OF_CORE: Place[] = ["core's store answer", "core's admin answer", "core's tables"]
/** The merchant sees who paid, as Medusa has it; nothing of it is stored by the plugin. */
const OF_PAYERS: Place[] = ["customer in an admin answer", ...OF_CORE]

const CANARIES: Canary[] = [
  ...Object.entries(SECRETS).map(([name, text]) => ({ name, text })),
  ...Object.entries(SENT).map(([name, text]) => ({ name, text })),
  // Kept as digests of what was received, to know it again.
  { name: "a hash", text: HASH, mayComeOutIn: ["our tables", "core's tables"] },
  { name: "the payer's e-mail", text: "canary-payer", mayComeOutIn: [...OF_PAYERS, "file of payments"] },
  { name: "the payer's first name", text: "Aisha", mayComeOutIn: OF_PAYERS },
  { name: "the payer's last name", text: "Rahman", mayComeOutIn: OF_PAYERS },
  // Who has a link may see whose purchase it is: the payer with the cart's id, and the merchant.
  {
    name: "a payment link",
    text: "/pay/",
    mayComeOutIn: ["status answer to who knows the cart", "admin answer", "our tables", ...OF_CORE],
  },
  {
    name: "a note of the merchant",
    text: "canary-note",
    mayComeOutIn: ["admin answer", "our tables", ...OF_CORE],
  },
]

/** Those whose words the store could pass on. The others are the same however the store signs in. */
const SHORT: Echo[] = ["401", "404", "false flag"]

/** Every kind of fault of the sandbox. */
const FAULTS: Fault["kind"][] = [
  ...(["status", "timeout", "reset", "truncated", "cut_json", "slow", "html"] as const),
  ...(["false_flag", "missing_flag", "wrong_types", "redirect", "huge"] as const),
]

let echoing: EchoingGateway
/** A second address of the gateway. */
let moved: Sandbox

beforeAll(async () => {
  echoing = await startEchoingGateway()
  moved = await startSandbox({
    port: 0,
    secretKey: "canary-signature-key",
    auth: { bearerToken: "canary-token" },
  })
})

afterAll(async () => {
  echoing.close()
  await moved.close()
})

const environment = {
  CRYPTO_PAYMENTS_BASE_URL: "",
  CRYPTO_PAYMENTS_SECRET_KEY: "",
  CRYPTO_PAYMENTS_TOKEN: "",
  CRYPTO_PAYMENTS_PUBLIC_URL: "http://127.0.0.1:1",
  JWT_SECRET: SECRETS["the key of logins"],
  COOKIE_SECRET: SECRETS["the key of cookies"],
  [VARIABLE]: KEY,
}

describeStore(
  "a store that handles secrets and payers",
  (store) => {
    let leaks: Leaks
    let headers: Record<string, string>

    beforeEach(async () => {
      process.env[VARIABLE] = KEY
      ;({ headers } = await store.admin())
      await get(`/settings/${PROVIDER}`) // Forgets what the test before had saved.
      const password = { name: "the admin's password", text: store.seeded.admin.password }
      leaks = new Leaks(store, [...CANARIES, password])
      leaks.start()
    })
    afterEach(() => {
      leaks.stop()
    })

    const get = async (path: string): Promise<AxiosResponse> =>
      await store.http.get(`${BASE}${path}`, { headers })
    const post = async (path: string, body: unknown = {}): Promise<AxiosResponse> =>
      await store.http.post(`${BASE}${path}`, body, { headers })
    const save = async (settings: Record<string, unknown>): Promise<AxiosResponse> => {
      const { version } = (await get(`/settings/${PROVIDER}`)).data.settings as { version: number }
      return await post(`/settings/${PROVIDER}`, { version, ...settings })
    }
    const complete = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
      base_url: store.gatewayBaseUrl,
      secret_key: SECRET_KEY,
      auth: { type: "bearer", token: TOKEN },
      ...changes,
    })
    /** As a stranger, or as the gateway. */
    const send = async (body: unknown, path = "/hooks/payment/crypto_default"): Promise<number> => {
      const sent = await store.http.post(path, body, {
        headers: {
          "content-type": "application/json",
          "x-signature": SENT["a header that a visitor sent"],
          "user-agent": SENT["a header that a visitor sent"],
          cookie: `connect.sid=${SENT["a header that a visitor sent"]}`,
          authorization: `Bearer ${SENT["a header that a visitor sent"]}`,
        },
        transformRequest: (data: unknown) => data,
      })
      return sent.status
    }
    const settleNow = async (): Promise<void> => {
      await store
        .knex("crypto_payment_request")
        .whereNull("settled_at")
        .update({ next_check_at: new Date(0) })
      await settleDue(store)
    }
    const lookEverywhere = async (): Promise<void> => {
      const { crypto_payments = [] } = (await get("")).data as { crypto_payments?: { id: string }[] }
      for (const path of [
        ...[
          "",
          "?attention=open",
          "?q=canary",
          "/health",
          "/settings",
          "/balances",
          "/balances/AED",
          "/balances/XXX",
        ],
        ...["/gateway-requests", "/export", "/settlements", "/settlements/export", "/audit"],
        ...[`/reconciliation?provider_id=${PROVIDER}`, `/reconciliation/export?provider_id=${PROVIDER}`],
        ...crypto_payments.map(({ id }) => `/${id}`),
      ]) {
        await get(path)
        // Neither a stranger nor a customer learns anything there.
        await store.http.get(`${BASE}${path}`)
        await store.http.get(`${BASE}${path}`, {
          headers: { authorization: `Bearer ${SENT["a header that a visitor sent"]}` },
        })
      }
    }
    const expectNothingLeaked = async (): Promise<void> => {
      await everythingHeard(store)
      expect(await leaks.find()).toEqual([])
    }

    it("shows none of it while payments are made, refused, refunded, compared, audited and exported", async () => {
      expect((await save(complete({ secret_key: FORMER_KEY }))).status).toBe(200)
      await save({ secret_key: SECRET_KEY })
      const shopper = store.shopper()
      const { cartId, session } = await shopper.checkout({ email: EMAIL })
      const id = session.data.payment_request_id
      await store.gateway.bendRecord(id, {
        fields: { more: SENT["a field that is not in the gateway's interface"], ref_id: 17 },
      })
      const withCart = await shopper.statusOf(session.id, cartId)
      expect(withCart.data.payment_link).toContain("/pay/")
      const data = notificationData(id, {
        status: "PAID",
        payer_email_address: EMAIL,
        note: SENT["a field of a genuine notification"],
      })
      const forged = { ...data, canary_forged: SENT["a field of a forged notification"] }
      const statuses = [
        await send(signedBody({ ...data, status: "UNPAID" })),
        await send(signedBody(data, FORMER_KEY)),
        await send(signedBody(data, "another secret")),
        await send(JSON.stringify({ data: forged, approval_hash: sign(data) })),
        await send(
          JSON.stringify({ data: { ...data, payer: { name: "Aisha" } }, approval_hash: sign(data) })
        ),
        await send(signedBody(data), "/hooks/payment/crypto%5Fdefault"),
        await send(signedBody(data), "/hooks/payment/crypto_nobody"),
        await send(signedBody(notificationData("nobodys-request", { payer_email_address: EMAIL }))),
        await send(signedBody(notificationData("../Aisha/Rahman"))),
        await send(`{"data":"${SENT["a body that is no JSON"]}`),
        await send(SENT["a body that is no JSON"].repeat(6000)),
      ]
      expect(statuses).toEqual([200, 200, 401, 401, 401, 404, 404, 200, 400, 400, 413])
      await readSinceNotified(store, id)
      // A visitor who knows the session alone learns a word.
      await shopper.get(`/crypto-payments/${session.id}`)
      await shopper.statusOf(session.id, "cart_of_somebody")
      await payAndNotify(store, id)
      await endOf(store, cartId)
      await shopper.get(`/crypto-payments/${session.id}`)

      const refunded = await ledgerRow(store, session.id)
      await post(`/${refunded.id}/refunds`, { amount: "9999.00", reference: "canary-note" })
      expect(
        (await post(`/${refunded.id}/refunds`, { amount: "20.01", reference: "canary-note" })).status
      ).toBe(200)
      const orphan = await payOrphan(store)
      await post(`/${orphan.id}/resolve`, { note: "canary-note" })
      const paid = await placePaidOrder(store)
      await post(`/${paid.id}/settle`)
      expect((await store.http.post(`/admin/orders/${paid.orderId}/cancel`, {}, { headers })).status).toBe(
        400
      )
      await store.gateway.putInList({
        payment_request_id: "x",
        payer_email_address: EMAIL,
        note: SENT["a body that is no JSON"],
      })
      await store.compareListsAtNight()
      await post("/audit")
      await post(`/settings/${PROVIDER}/webhook-check`)
      await lookEverywhere()
      await expectNothingLeaked()
      expect(leaks.heard("log")).toContain("is settled, order")
      expect(leaks.heard("log")).toContain("needs attention: orphan_paid")
      expect(leaks.heard("event")).toContain("crypto_payment.settled")
      expect(leaks.heard("event")).toContain("order.placed")
      expect(leaks.heard("file")).toMatch(/settlements\/export 200 [^]*reconciliation\/export\S+ 200 /)
      expect(leaks.heard("file of payments")).toContain("/export 200 ")
      expect(leaks.heard("refusal")).toContain("/settlements/export 401")
    })

    it("shows none of it when settings are refused, moved, unreadable or not there", async () => {
      const slip = SENT["a setting that was refused"]
      for (const body of [
        complete({ version: slip }),
        complete({ version: 0, base_url: `https://${slip}:x@gateway.example` }),
        complete({ version: 0, base_url: `ftp://${slip}` }),
        complete({ version: 0, auth: { type: "bearer", token: { text: slip } } }),
        complete({ version: 0, auth: { type: "bearer", token: `${slip}\nx` } }),
        complete({ version: 0, auth: { type: "headers", headers: { "x-key": `${slip}\u0007` } } }),
        complete({ version: 0, auth: { type: slip } }),
        complete({ version: 0, secret_key: [slip] }),
        complete({ version: 0, order_placement: slip }),
        complete({ version: 0, success_url: slip }),
      ]) {
        expect((await post(`/settings/${PROVIDER}`, body)).status).toBe(400)
        await post(`/settings/${PROVIDER}/check`, body)
      }
      const shopper = store.shopper()
      // Nothing is configured yet.
      await shopper.openSession(await shopper.collection(await shopper.cart({ email: EMAIL })))
      await lookEverywhere()
      await save(complete())
      const { session } = await shopper.checkout({ email: EMAIL })
      await post(`/settings/${PROVIDER}`, { version: 0, secret_key: "canary-token" })
      const there = { base_url: moved.baseUrl, auth: { type: "bearer", token: "canary-token" } }
      expect((await save(there)).status).toBe(400)
      await post(`/settings/${PROVIDER}/check`, { ...there, secret_key: "canary-signature-key" })
      const confirmed = { ...there, secret_key: "canary-signature-key", confirm_origin_change: true }
      expect((await save(confirmed)).status).toBe(200)
      await store.gateway.fail({ endpoint: "any", kind: "html" })
      await settleNow()
      await lookEverywhere()
      await send(signedBody(notificationData(session.data.payment_request_id)))
      await settleNow()
      process.env[VARIABLE] = OTHER_KEY
      await lookEverywhere()
      await save(complete())
      process.env[VARIABLE] = `not a key, ${KEY}`
      await lookEverywhere()
      await save(complete())
      await store.http.post(`${BASE}/settings/${PROVIDER}`, `{"secret_key":"${slip}`, {
        headers: { ...headers, "content-type": "application/json" },
        transformRequest: (data: unknown) => data,
      })
      const socket = connect(Number(new URL(store.webhookUrl).port), "localhost")
      socket.write(
        `POST ${BASE}/settings/${PROVIDER} HTTP/1.1\r\nhost: x\r\nauthorization: ${String(headers["authorization"])}\r\n` +
          `content-type: application/json\r\ncontent-length: 999\r\nexpect: 100-continue\r\n\r\n`
      )
      await once(socket, "data")
      socket.write(`{"secret_key":"${slip}`)
      socket.destroy()
      await once(socket, "close")
      await lookEverywhere()
      await expectNothingLeaked()
      expect(leaks.heard("log")).toContain("the gateway is not asked")
      expect(leaks.heard("admin answer")).toContain('"state":"wrong"')
      expect(leaks.heard("admin answer")).toContain('"state":"malformed"')
    })

    it("shows none of it whatever goes wrong at the gateway", async () => {
      await save(complete({ timeout_ms: 500 }))
      const shopper = store.shopper()
      const { session } = await shopper.checkout({ email: EMAIL })
      const collection = await shopper.collection(await shopper.cart({ email: EMAIL }))
      const { id } = await ledgerRow(store, session.id)
      for (const kind of FAULTS) {
        await store.gateway.fail({ endpoint: "any", kind, delayMs: 200 })
        for (const path of ["/balances", "/balances/AED", "/gateway-requests"]) {
          await get(path)
        }
        await post(`/settings/${PROVIDER}/check`)
        await store.knex("crypto_payment_request").update({ last_checked_at: null })
        await post(`/${id}/settle`)
        await post("/reconciliation", { provider_id: PROVIDER })
        await shopper.openSession(collection)
        await send(signedBody(notificationData(session.data.payment_request_id, { ref_id: kind })))
        await store.gateway.recover()
      }
      await settleDue(store)
      await lookEverywhere()
      await expectNothingLeaked()
      expect(leaks.heard("log")).toContain("the gateway cannot be read")
    })

    const AUTHS: [string, readonly Echo[], Record<string, unknown>][] = [
      ["a token", ECHOES, { type: "bearer", token: "canary-token" }],
      ["a password", SHORT, { type: "basic", username: "canary-user", password: "canary-password" }],
      ["headers", SHORT, { type: "headers", headers: { "x-key": "canary-header-of-auth" } }],
      [
        "a signature",
        SHORT,
        { type: "signature", api_key: "canary-api-key", secret_key: "canary-signature-key" },
      ],
    ]
    it.each(AUTHS)(
      "shows none of it when the gateway quotes what it is sent with %s",
      async (_, echoes, auth) => {
        await save(complete())
        const shopper = store.shopper()
        const { session } = await shopper.checkout({ email: EMAIL })
        const collection = await shopper.collection(await shopper.cart({ email: EMAIL }))
        const settings = { base_url: echoing.baseUrl, secret_key: SECRET_KEY, auth, timeout_ms: 500 }
        expect((await save({ ...settings, confirm_origin_change: true })).status).toBe(200)
        // Its row is read there now.
        const { origin } = new URL(echoing.baseUrl)
        await store
          .knex("crypto_payment_request")
          .update({ state: "open", gateway_origin: origin, last_checked_at: null })
        const ledger = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
        const { id } = await ledgerRow(store, session.id)
        echoing.heard.length = 0
        for (const echo of echoes) {
          echoing.echo = echo
          for (const path of ["/balances", "/balances/XXX", "/gateway-requests"]) {
            await get(path)
          }
          await post(`/settings/${PROVIDER}/check`)
          await post(`/${id}/settle`)
          await post("/reconciliation", { provider_id: PROVIDER })
          await shopper.openSession(collection)
          await shopper.get(`/crypto-payments/${session.id}`)
          const client = ledger.gateways.clientFor(await ledger.settings.require(PROVIDER))
          const call = {
            amount: "1.00",
            currencySymbol: "USD",
            payerEmailAddress: EMAIL,
            note: null,
          } as const
          const addresses = { successUrl: "https://shop.example", failedUrl: "https://shop.example" }
          const names = { payerFirstName: "Aisha", payerLastName: "Rahman" }
          const calls: Record<string, () => Promise<unknown>> = {
            balances: async () => await client.listBalances(),
            balance: async () => await client.readBalance("XXX"),
            list: async () => await client.listPaymentRequests(),
            read: async () => await client.readPaymentRequest("x"),
            create: async () => await client.createPaymentRequest({ ...call, ...addresses, ...names }),
          }
          for (const [name, run] of Object.entries(calls)) {
            try {
              await run()
              throw new Error("The gateway's answer was taken.")
            } catch (error) {
              leaks.thrown(`${echo}: ${name}`, error)
            }
          }
        }
        await settleDue(store)
        expect(JSON.stringify(echoing.heard)).toMatch(/canary-|Basic /)
        expect(leaks.heard("thrown error")).toContain("GatewayRejected")
        expect(leaks.heard("thrown error")).not.toContain("The gateway's answer was taken.")
        await get(`/${id}`)
        await expectNothingLeaked()
      }
    )

    it.each(["/control/calls", "/control/payments", "/pay/x", "/v1/api/payments", "/sandbox"])(
      "has nothing of the sandbox: %s",
      async (path) => {
        expect((await store.http.get(path)).status).toBe(404)
        expect((await store.http.post(path, {})).status).toBe(404)
      }
    )

    it("gets another password for its admin each time the demo seeds it", async () => {
      const { admin } = await seedStore(store.container)
      const logIn = async (login: typeof admin): Promise<number> =>
        (await store.http.post("/auth/user/emailpass", login)).status
      expect(admin.email).toBe(store.seeded.admin.email)
      expect([await logIn(store.seeded.admin), await logIn(admin)]).toEqual([401, 200])
    })

    describe("is heard by this test when it prints a secret", () => {
      const leak: [Place, () => Promise<unknown>][] = [
        [
          "log",
          async () => {
            store.container.resolve(ContainerRegistrationKeys.LOGGER).debug(SECRET_KEY)
            await Promise.resolve()
          },
        ],
        [
          "event",
          async () => {
            await store.container
              .resolve(Modules.EVENT_BUS)
              .emit({ name: "a.name", data: { text: SECRET_KEY } })
          },
        ],
        [
          "our tables",
          async () =>
            await store
              .knex("crypto_payment_activity")
              .insert({ id: "a", request_id: "b", type: "checked", detail: { text: SECRET_KEY } }),
        ],
        [
          "thrown error",
          async () => {
            leaks.thrown("x", new Error("no", { cause: { header: SECRET_KEY } }))
            await Promise.resolve()
          },
        ],
        ["admin answer", async () => await save(complete({ payment_link_hosts: [SECRET_KEY] }))],
      ]
      it.each(leak)("in %s", async (place, print) => {
        await print()
        expect((await leaks.find()).join("\n")).toContain(`the secret key in ${place}`)
      })
    })
  },
  environment
)
