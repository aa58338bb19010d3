import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import en from "../../../src/admin/i18n/en.json"
import { everythingHeard } from "../../support/heard-events"
import { payOrphan, placePaidOrder } from "../../support/paid-checkout"
import { describeStore, type StoreUnderTest } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

describeStore("the bell of the admin", (store) => {
  const told = async (): Promise<Record<string, unknown>[]> =>
    (
      await store.http.get(
        "/admin/notifications?channel=feed&fields=to,channel,template,data",
        await store.admin()
      )
    ).data.notifications

  const untilTold = async (): Promise<Record<string, unknown>[]> =>
    await waitUntil(told, ({ length }) => length > 0)

  it("tells of a new case once, to everybody, without the payer and what opens the cart", async () => {
    const { id } = await payOrphan(store)
    const [notification, ...others] = await untilTold()
    expect(others).toEqual([])
    expect(notification).toMatchObject({
      to: "",
      channel: "feed",
      template: "crypto-payment",
      data: {
        title: "Crypto payment: Paid for an outdated cart",
        description: expect.stringMatching(/^Reference \w+, 20\.01 USD\. Open Crypto payments, Attention\.$/),
        ...{ id, amount: "20.01", currency_code: "usd", reason: "orphan_paid" },
      },
    })
    expect(JSON.stringify(notification)).not.toMatch(/guest@|Aisha|cart_|payses_/)

    const [event] = (await store.knex("notification").pluck("idempotency_key")) as string[]
    await store.container.resolve(Modules.EVENT_BUS).emit({
      name: "crypto_payment.attention_required",
      data: { event_id: event, id, amount: "20.01", currency_code: "usd", reason: "orphan_paid" },
    })
    await everythingHeard(store)
    expect(await told()).toHaveLength(1)
  })

  it("names the case as the admin does, and the order by its number", async () => {
    const { id, orderId } = await placePaidOrder(store)
    const order = await store.knex("order").where({ id: orderId }).first<{ display_id: number }>("display_id")
    const { ref_id } = await store.knex("crypto_payment_request").where({ id }).first<{ ref_id: string }>()
    const named = `Order #${String(order.display_id)}, Reference ${ref_id}`
    const event = { id, amount: "20.01", currency_code: "usd" }
    const titles = Object.entries(en.attention.reasons).map(([reason, { title }]) => [reason, title])
    await store.container.resolve(Modules.EVENT_BUS).emit(
      titles.map(([reason]) => ({
        name: "crypto_payment.attention_required",
        data: { ...event, event_id: reason, reason },
      }))
    )
    const all = await waitUntil(told, ({ length }) => length === titles.length)
    const data = all.map((notification) => notification["data"] as Record<string, string>)
    const byReason = (reason: string | undefined) => data.find((found) => found["reason"] === reason)
    for (const [reason, title] of titles) {
      expect(byReason(reason)).toMatchObject({
        title: `Crypto payment: ${String(title)}`,
        description: `${named}, 20.01 USD. Open Crypto payments, Attention.`,
      })
    }
    expect(JSON.stringify(all)).not.toMatch(/guest@|Aisha|cart_|payses_|order_0/)
  })

  it("names the received amount when it differs from the requested one", async () => {
    const { id } = await placePaidOrder(store)
    store.leavesDamage("the gateway's figures of a captured payment are changed")
    const came = { gateway_amount: "5.10000000000000", gateway_currency_symbol: "AED" }
    await store.knex("crypto_payment_request").where({ id }).update(came)
    await store.container.resolve(Modules.EVENT_BUS).emit({
      name: "crypto_payment.attention_required",
      data: { event_id: "other", id, amount: "20.01", currency_code: "usd", reason: "amount_mismatch" },
    })
    const [{ data } = {}] = await untilTold()
    expect((data as Record<string, string>)["description"]).toMatch(
      /^Order #\d+, Reference \w+, 5\.10 AED received, 20\.01 USD requested\. /
    )
  })

  it("tells of what the audit found", async () => {
    await store.container.resolve(Modules.EVENT_BUS).emit({
      name: "crypto_payment.audit_failed",
      data: { event_id: "audit_1:failed", findings: 2, rules: ["not_settled"] },
    })
    expect(await untilTold()).toMatchObject([
      {
        data: {
          title: "Crypto payments: checks",
          description: "Findings: 2. Open Crypto payments, Checks.",
        },
      },
    ])
  })

  it("is tried once more where the provider fails, without a line in the log, and not once more than that", async () => {
    const warn = jest.spyOn(store.container.resolve(ContainerRegistrationKeys.LOGGER), "warn")
    const send = jest.spyOn(providersOf(store), "send").mockRejectedValueOnce(new Error("away"))
    await payOrphan(store)
    const statuses = async (): Promise<string[]> =>
      await store.knex("notification").orderBy("id").pluck("status")
    expect(await waitUntil(statuses, (found) => found.includes("success"))).toEqual(["failure", "success"])
    expect(send).toHaveBeenCalledTimes(2)
    expect(warn.mock.calls.flat().join()).not.toContain("was not sent")
    jest.restoreAllMocks()
  })

  it("costs a line in the log where the provider keeps failing, and no settle", async () => {
    const create = jest
      .spyOn(store.container.resolve(Modules.NOTIFICATION), "createNotifications")
      .mockRejectedValue(new Error("the provider is away"))
    const warn = jest.spyOn(store.container.resolve(ContainerRegistrationKeys.LOGGER), "warn")
    const { id } = await payOrphan(store)
    await waitUntil(
      async () => await Promise.resolve(warn.mock.calls.flat().join()),
      (lines) => lines.includes("a notification of crypto_payment.attention_required was not sent (Error)")
    )
    expect(create).toHaveBeenCalledTimes(2)
    expect(await store.knex("crypto_payment_request").where({ id }).first("attention_reason")).toEqual({
      attention_reason: "orphan_paid",
    })
    jest.restoreAllMocks()
  })
})

/** What the module hands a notification to. */
function providersOf(store: StoreUnderTest): { send: () => Promise<unknown> } {
  const notifications: unknown = store.container.resolve(Modules.NOTIFICATION)
  return (notifications as { notificationProviderService_: { send: () => Promise<unknown> } })
    .notificationProviderService_
}
