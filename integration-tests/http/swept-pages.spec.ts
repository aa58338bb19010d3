import { SETTLED_ON_ORDER } from "../../.medusa/server/src/modules/crypto-payments/checks/windows"
import { fillOrders } from "../support/history"
import { describeStore } from "../support/store-under-test"
import { sweptIds } from "../support/swept"

describeStore("what was settled long ago, and then lost its order without an event", (store) => {
  it("is found page by page when ten thousand are newer, and then from the newest again", async () => {
    await fillOrders(store, 10_100)
    const swept = async (): Promise<string[]> => await sweptIds(store, SETTLED_ON_ORDER)
    expect(await swept()).toEqual([])
    await store.knex("order").where({ id: "order_ord10100" }).update({ status: "canceled" })
    expect(await swept()).toEqual(["cpreq_ord10100"])

    // Another order: this process may be settling the first one by now.
    await store.knex("order").where({ id: "order_ord10099" }).update({ status: "canceled" })
    expect(await swept()).toEqual([])
    expect(await swept()).toEqual(["cpreq_ord10099"])
  })
})
