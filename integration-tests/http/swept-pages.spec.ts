import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import { fillOrders } from "../support/history"
import { describeStore } from "../support/store-under-test"

describeStore("what was settled long ago, and then lost its order without an event", (store) => {
  it("is found page by page when twenty thousand are newer, and then from the newest again", async () => {
    await fillOrders(store, 20_100)
    const { sweeps } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
    expect(await sweeps.makeLostOrdersDue()).toEqual([])
    await store.knex("order").where({ id: "order_ord20100" }).update({ status: "canceled" })
    expect(await sweeps.makeLostOrdersDue()).toEqual(["cpreq_ord20100"])

    // Another order: this process may be settling the first one by now.
    await store.knex("order").where({ id: "order_ord20099" }).update({ status: "canceled" })
    expect(await sweeps.makeLostOrdersDue()).toEqual([])
    expect(await sweeps.makeLostOrdersDue()).toEqual(["cpreq_ord20099"])
  })
})
