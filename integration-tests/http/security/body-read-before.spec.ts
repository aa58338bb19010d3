import { gzipSync } from "node:zlib"
import express, { type RequestHandler } from "express"
import { readingFirst } from "../../other-plugin/src/heard"
import { settingsDesk } from "../../support/admin-api"
import { readEndState, PAID_OK, UNPAID } from "../../support/end-state"
import { notificationData, sign, signedBody } from "../../support/notification"
import { endOf } from "../../support/paid-checkout"
import { nothingIsDue } from "../../support/settle-due"
import { describeStore, STORE_WITH_OTHER_PLUGIN } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

const JSON_TYPE = "application/json"
const FORM_TYPE = "application/x-www-form-urlencoded"

/** As a logger that reads each notification and keeps nothing of it. */
const drain: RequestHandler = (request, _, next) => {
  if (request.originalUrl.startsWith("/hooks")) {
    request.resume().on("end", next)
  } else {
    next()
  }
}

describeStore(
  "a store whose own middleware reads every body first",
  (store) => {
    const { get } = settingsDesk(store)
    let cartId: string
    let id: string
    /** Longer ago than the minute in which this process would keep quiet about what other tests sent. */
    let passedMs = 0

    beforeEach(async () => {
      const checkout = await store.shopper().checkout()
      cartId = checkout.cartId
      id = checkout.session.data.payment_request_id
    })
    const passMinute = (): void => {
      const now = Date.now.bind(Date)
      passedMs += 61_000
      jest.spyOn(Date, "now").mockImplementation(() => now() + passedMs)
    }
    afterEach(() => {
      readingFirst.by = undefined
      jest.restoreAllMocks()
    })

    const send = async (body: string | Buffer, headers: Record<string, string> = {}): Promise<number> =>
      (
        await fetch(store.webhookUrl, {
          method: "POST",
          body,
          headers: { "content-type": JSON_TYPE, ...headers },
        })
      ).status
    const refusedReason = async (): Promise<unknown> =>
      await waitUntil(
        async () => (await get("/health")).data.providers[0].last_refused_webhook_reason as unknown,
        (reason) => reason !== null
      )
    const isNotTaken = async (): Promise<void> => {
      await nothingIsDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
    }

    it.each([
      ["JSON", express.json(), JSON_TYPE],
      ["JSON of every type", express.json({ type: "*/*" }), "text/plain"],
      ["texts", express.text({ type: "*/*" }), JSON_TYPE],
      ["bytes", express.raw({ type: "*/*" }), JSON_TYPE],
      ["only forms, and this is none", express.urlencoded({ extended: true }), JSON_TYPE],
    ])("takes a genuine notification where it parses %s, and places the order", async (_, by, type) => {
      readingFirst.by = by
      await store.gateway.pay(id)
      expect(await send(signedBody(notificationData(id)), { "content-type": type })).toBe(200)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    it("takes a compressed one that was decompressed and parsed", async () => {
      readingFirst.by = express.json()
      await store.gateway.pay(id)
      const compressed = gzipSync(signedBody(notificationData(id)))
      expect(await send(compressed, { "content-encoding": "gzip" })).toBe(200)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    it("refuses a forged one that was parsed", async () => {
      passMinute()
      readingFirst.by = express.json()
      expect(await send(signedBody(notificationData(id), "forged"))).toBe(401)
      expect(await refusedReason()).toBe("wrong_secret")
      await isNotTaken()
    })

    it("refuses one whose number has lost its spelling", async () => {
      passMinute()
      readingFirst.by = express.json()
      const data = notificationData(id)
      const body = JSON.stringify({ data, approval_hash: sign(data) })
      expect(await send(body.replace('"20.01000000000000"', "20.01000000000000"))).toBe(401)
      expect(await refusedReason()).toBe("value_not_text")
      await isNotTaken()
    })

    it("says so, and asks for it again, where nothing is left of it", async () => {
      passMinute()
      readingFirst.by = drain
      expect(await send(signedBody(notificationData(id)))).toBe(503)
      expect(await refusedReason()).toBe("already_read")
      await isNotTaken()
    })

    it("says nothing of a gateway that only tries the address", async () => {
      passMinute()
      readingFirst.by = express.json()
      expect(await send('{"test":true}')).toBe(400)
      readingFirst.by = express.urlencoded({ extended: true })
      expect(await send("test=1", { "content-type": FORM_TYPE })).toBe(400)
      readingFirst.by = undefined
      expect(await send(signedBody(notificationData(id), "forged"))).toBe(401)
      expect(await refusedReason()).toBe("wrong_secret")
    })

    it("keeps what an admin user sends", async () => {
      readingFirst.by = express.json()
      const { post } = settingsDesk(store)
      const { status, data } = await post({ base_url: "http://127.0.0.1:9/api/v1" }, "/check")
      expect([status, data.code, data.fields]).toEqual([400, "locked", ["base_url"]])
    })
  },
  {},
  STORE_WITH_OTHER_PLUGIN
)
