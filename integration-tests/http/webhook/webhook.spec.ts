import { once } from "node:events"
import { connect } from "node:net"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { Modules } from "@medusajs/framework/utils"
import { request } from "undici"
import { HeldTimers } from "../../support/held-timers"
import { CapturedOutput } from "../../support/captured-output"
import { readEndState, UNPAID } from "../../support/end-state"
import { notificationData, sign, signedBody } from "../../support/notification"
import { ledgerRow } from "../../support/paid-checkout"
import { nothingIsDue, readSinceNotified } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

describeStore("webhook intake", (store) => {
  let cartId: string
  let id: string
  let sessionId: string

  beforeEach(async () => {
    const checkout = await store.shopper().checkout()
    cartId = checkout.cartId
    id = checkout.session.data.payment_request_id
    sessionId = checkout.session.id
  })

  const send = async (
    body: string | Buffer,
    { contentType = "application/json", method = "POST", path = "/hooks/payment/crypto_default" } = {}
  ): Promise<number> => {
    const response = await fetch(`${String(store.http.defaults.baseURL)}${path}`, {
      method,
      body,
      headers: { "content-type": contentType },
    })
    const answer = (await response.json()) as Record<string, unknown>
    expect(Object.keys(answer).sort()).toEqual(response.status === 200 ? ["received"] : ["message", "type"])
    return response.status
  }
  /** What was taken is settled after the answer: only then is it known what became of it. */
  const isReadAndChangesNothing = async (): Promise<void> => {
    await readSinceNotified(store, id)
    expect((await store.gateway.calls("GET")).map(({ path }) => path.split("/").at(-1))).toContain(id)
    expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
  }
  /** What is taken is recorded before the answer, so a row that is not notified is not settled either. */
  const isNotTaken = async (): Promise<void> => {
    expect((await ledgerRow(store, sessionId)).last_webhook_at).toBeNull()
    await nothingIsDue(store)
    expect(await store.gateway.calls("GET")).toEqual([])
    expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
  }

  describe("answers 200", () => {
    it.each([
      ["by POST", {}],
      ["by PUT, as the interface does not give the method", { method: "PUT" }],
      ["to core's spelling of the provider", { path: "/hooks/payment/pp_crypto_default" }],
      ["as octet-stream", { contentType: "application/octet-stream" }],
      ["as a form", { contentType: "application/x-www-form-urlencoded" }],
      ["as text", { contentType: "text/plain" }],
    ])("to a genuine notification %s", async (_, options) => {
      expect(await send(signedBody(notificationData(id)), options)).toBe(200)
      await isReadAndChangesNothing()
    })

    it("to a genuine notification behind a byte order mark", async () => {
      expect(await send(`\uFEFF${signedBody(notificationData(id))}`)).toBe(200)
      await isReadAndChangesNothing()
    })

    it("to a genuine notification about a request that is not ours", async () => {
      expect(await send(signedBody(notificationData("another-shops-request", { status: "PAID" })))).toBe(200)
      await isNotTaken()
    })

    it("to fields the interface does not know, hashing all of them", async () => {
      expect(await send(signedBody(notificationData(id, { added_later: "yes", zz: null })))).toBe(200)
    })

    it("to a payer's name in Arabic", async () => {
      expect(await send(signedBody(notificationData(id, { payer_first_name: "عائشة" })))).toBe(200)
    })

    it.each(["GET", "HEAD"])(
      "to a gateway that tries the address by %s, and does nothing",
      async (method) => {
        for (const path of ["/hooks/payment/crypto_default", "/hooks/payment/pp_crypto_default"]) {
          const { status } = await fetch(`${String(store.http.defaults.baseURL)}${path}`, { method })
          expect([path, status]).toEqual([path, 200])
        }
        await isNotTaken()
      }
    )

    it("and captures nothing when only the notification says PAID", async () => {
      expect(await send(signedBody(notificationData(id, { status: "PAID" })))).toBe(200)
      await isReadAndChangesNothing()
    })

    it("and captures nothing when a PAID of another session is replayed for this one", async () => {
      const other = await store.shopper().checkout({ email: "other@example.test" })
      await store.gateway.pay(other.session.data.payment_request_id)
      const replay = notificationData(id, { status: "PAID", note: other.session.id })
      expect(await send(signedBody(replay))).toBe(200)
      await isReadAndChangesNothing()
    })
  })

  describe("answers 401", () => {
    it("to a digest with one digit changed", async () => {
      const data = notificationData(id)
      const digest = sign(data)
      const changed = (digest.startsWith("0") ? "1" : "0") + digest.slice(1)
      expect(await send(JSON.stringify({ data, approval_hash: changed }))).toBe(401)
      await isNotTaken()
    })

    it("to a digest made with another secret", async () => {
      expect(await send(signedBody(notificationData(id, { status: "PAID" }), "another secret"))).toBe(401)
      await isNotTaken()
    })

    it("to data changed after it was signed", async () => {
      const approval_hash = sign(notificationData(id))
      const data = notificationData(id, { payment_amount: "1.00000000000000" })
      expect(await send(JSON.stringify({ data, approval_hash }))).toBe(401)
      await isNotTaken()
    })

    it.each([
      ["a number", 20.01],
      ["a nested value", { amount: "20.01" }],
    ])("to %s among the data", async (_, value) => {
      const approval_hash = sign(notificationData(id))
      const data = { ...notificationData(id), payment_amount: value }
      expect(await send(JSON.stringify({ data, approval_hash }))).toBe(401)
      await isNotTaken()
    })
  })

  it("trusts nothing of a digest whose field boundary was shifted (scenario 4)", async () => {
    const genuine = notificationData(id, { ref_id: null, status: "UNPAID" })
    const approval_hash = sign(genuine)
    const forged = { ...genuine, ref_id: "UN", status: "PAID" }
    // The digest fits both: that is the weakness, and why only the gateway's own read is trusted.
    expect(await send(JSON.stringify({ data: forged, approval_hash }))).toBe(200)
    await isReadAndChangesNothing()
  })

  describe("answers 400", () => {
    it.each([
      ["what is not JSON", "hello"],
      ["an empty body", ""],
      ["cut-off JSON", '{"data":{"payment_request_id":"x"'],
      ["JSON that is no object", "[1,2]"],
      ["bytes that are no UTF-8", Buffer.from('{"data":{"note":"\xff"},"approval_hash":"00"}', "latin1")],
      ["a body without approval_hash", JSON.stringify({ data: { payment_request_id: "x" } })],
      ["a body without data", JSON.stringify({ approval_hash: "00" })],
    ])("to %s", async (_, body) => {
      expect(await send(body)).toBe(400)
      await isNotTaken()
    })

    it.each([["../admin"], [""], ["a".repeat(300)]])(
      "to a genuine notification whose id is %p",
      async (badId) => {
        expect(await send(signedBody(notificationData(badId)))).toBe(400)
      }
    )
  })

  it("answers 413 to a body of 1 MB", async () => {
    expect(await send(Buffer.alloc(1024 * 1024, "a"))).toBe(413)
    await isNotTaken()
  })

  it("answers 413 to a body that grows over 64 kB without saying so", async () => {
    const chunks = Readable.from(Array.from({ length: 16 }, () => Buffer.alloc(8192, "a")))
    const { statusCode } = await request(store.webhookUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: chunks,
    })
    expect(statusCode).toBe(413)
  })

  it("answers 408 to a body that is not whole after ten seconds, and closes the connection", async () => {
    const patience = new HeldTimers("crypto-payments/waiting")
    const { port } = new URL(store.webhookUrl)
    const socket = connect(Number(port), "localhost")
    socket.write(`POST /hooks/payment/crypto_default HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{`)
    // Ends only when the store closes it.
    const [statusLine] = (await patience.fireUntilOver(text(socket), 10_000)).split("\r\n")
    patience.end()
    expect(patience.firedMs).toEqual([10_000])
    expect(statusLine).toBe("HTTP/1.1 408 Request Timeout")
  })

  it("writes no error to the log when a sender hangs up in the middle of its body", async () => {
    const output = new CapturedOutput(store)
    output.start()
    const { port } = new URL(store.webhookUrl)
    const socket = connect(Number(port), "localhost")
    const head = ["Host: x", "Content-Length: 1000", "Expect: 100-continue"].join("\r\n")
    socket.write(`POST /hooks/payment/crypto_default HTTP/1.1\r\n${head}\r\n\r\n`)
    // "100 Continue": the request has reached the store.
    await once(socket, "data")
    socket.destroy()
    await once(socket, "close")
    // Sent after that, so when it has been answered the store has noticed.
    expect(await send("hello")).toBe(400)
    output.stop()
    expect(output.text).not.toMatch(/"level":"error"|aborted|ECONNRESET/)
  })

  it("answers 503 when it cannot be recorded, says so in the log, and takes it when it is sent again", async () => {
    const body = signedBody(notificationData(id))
    const requests = "ALTER TABLE crypto_payment_request"
    await store.knex.raw(`${requests} ADD CONSTRAINT no_news CHECK (last_webhook_at IS NULL)`)
    const output = new CapturedOutput(store)
    output.start()
    try {
      expect(await send(body)).toBe(503)
    } finally {
      output.stop()
      await store.knex.raw(`${requests} DROP CONSTRAINT no_news`)
    }
    expect(output.text).toContain("crypto payments: a notification was not recorded (")
    expect(output.text).not.toContain("guest@example.test")
    await isNotTaken()
    expect(await send(body)).toBe(200)
    await isReadAndChangesNothing()
  })

  it("answers 404 for a provider that is not registered", async () => {
    expect(await send("{}", { path: "/hooks/payment/crypto_nobody" })).toBe(404)
  })

  describe("answers 404 to every other spelling that core would hand to the provider", () => {
    const encoded = (text: string, places: number[]): string =>
      [...text]
        .map((letter, place) =>
          places.includes(place) ? `%${letter.charCodeAt(0).toString(16).toUpperCase()}` : letter
        )
        .join("")
    const spellings = ["crypto_default", "pp_crypto_default"].flatMap((name) => [
      // Up to the underscore before the id: what comes after it is the id, and decoded as core does.
      ...Array.from({ length: name.length - "default".length }, (_, place) => encoded(name, [place])),
      encoded(
        name,
        [...name].map((_, place) => place)
      ),
    ])

    it.each(["POST", "PUT"])("by %s: nothing is verified, passed on, read or captured", async (method) => {
      const emit = jest.spyOn(store.container.resolve(Modules.EVENT_BUS), "emit")
      await store.gateway.pay(id)
      const genuine = signedBody(notificationData(id, { status: "PAID" }))
      const forged = signedBody(notificationData(id, { status: "PAID" }), "another secret")
      for (const spelling of [...spellings, "crypto%5fdefault", "crypto%5Fdefault/", "Crypto%5Fdefault"]) {
        for (const body of [genuine, forged]) {
          const status = await send(body, { method, path: `/hooks/payment/${spelling}` })
          expect([spelling, status]).toEqual([spelling, 404])
        }
      }
      expect(emit).not.toHaveBeenCalled()
      emit.mockRestore()
      await isNotTaken()
    })

    it.each(["POST", "PUT"])("by %s, but for an encoded id, which the intake takes", async (method) => {
      const path = "/hooks/payment/crypto_%64efault"
      const forged = signedBody(notificationData(id, { status: "PAID" }), "another secret")
      expect(await send(forged, { method, path })).toBe(401)
      expect(await send(signedBody(notificationData(id)), { method, path })).toBe(200)
      await isReadAndChangesNothing()
    })
  })

  it("leaves other providers' webhooks to core", async () => {
    const response = await fetch(`${String(store.http.defaults.baseURL)}/hooks/payment/system_default`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    })
    expect([response.status, await response.text()]).toEqual([200, "OK"])
    const encoded = await fetch(`${String(store.http.defaults.baseURL)}/hooks/payment/system%5Fdefault`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    })
    expect([encoded.status, await encoded.text()]).toEqual([200, "OK"])
  })

  it("asks the gateway nothing when a settled request is notified again", async () => {
    await store.gateway.pay(id)
    await store.gateway.notify(id)
    await waitUntil(
      async () => await readEndState(store.knex, cartId),
      ({ ledger }) => ledger[0]?.settled === true
    )
    const before = (await store.gateway.calls("GET")).map(({ path }) => path.split("/").at(-1))
    expect(await send(signedBody(notificationData(id, { status: "PAID" })))).toBe(200)
    // A genuine notification of another request takes the same way: when it has been read, this one would have been.
    const other = (await store.shopper().checkout({ email: "other@example.test" })).session.data
      .payment_request_id
    expect(await store.gateway.notify(other)).toEqual([200])
    await readSinceNotified(store, other)
    await nothingIsDue(store)
    const read = (await store.gateway.calls("GET")).map(({ path }) => path.split("/").at(-1))
    expect(read).toEqual([...before, other])
  })
})
