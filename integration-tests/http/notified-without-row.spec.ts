import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import { holdMinute } from "../support/held-minute"
import { notificationData, signedBody } from "../support/notification"
import { describeStore } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

const REPLAYS = 30
const A_MINUTE = 10

describeStore("a genuine notification about a request whose row has no id", (store) => {
  holdMinute(store, "lookUps")

  it("is looked up at the gateway ten times a minute at most, however often it comes", async () => {
    const shopper = store.shopper()
    const collectionId = await shopper.collection(await shopper.cart())
    await store.gateway.fail({ endpoint: "create", kind: "reset", applied: "after", times: 1 })
    expect((await shopper.openSession(collectionId)).status).toBe(500)
    const [lost] = await store.gateway.payments()
    // While the gateway cannot be read, the request is not taken over.
    await store.gateway.fail({ endpoint: "read", kind: "false_flag" })
    await store.gateway.clearCalls()
    const reads = async (): Promise<number> => (await store.gateway.calls("GET")).length
    const body = signedBody(
      notificationData(String(lost?.payment_request_id), { status: "PAID", note: String(lost?.note) })
    )
    const ledger = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
    const mayLookUp = jest.spyOn(ledger.checks, "mayLookUp")
    for (let n = 0; n < REPLAYS; n++) {
      expect((await fetch(store.webhookUrl, { method: "POST", body })).status).toBe(200)
    }
    // A notification is looked up after its answer.
    await waitUntil(
      async () => await Promise.resolve(mayLookUp.mock.calls),
      ({ length }) => length === REPLAYS
    )
    const answers = await Promise.all(mayLookUp.mock.results.map(({ value }) => value as Promise<boolean>))
    mayLookUp.mockRestore()
    expect(answers.filter((may) => may)).toHaveLength(A_MINUTE)
    await waitUntil(reads, (count) => count >= A_MINUTE)
    expect(await reads()).toBe(A_MINUTE)
  })
})
