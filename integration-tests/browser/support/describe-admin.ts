import { Admin } from "./admin"
import { Payments } from "./payments"
import { StoreFromOutside } from "./store"

type AdminTest = { admin: Admin; store: StoreFromOutside; payments: Payments }

/** A block of tests with a merchant signed in; what a test opened is closed after it. */
export function describeAdmin(name: string, tests: (given: AdminTest) => void): void {
  describe(name, () => {
    const admin = new Admin()
    const store = new StoreFromOutside()

    beforeAll(async () => await admin.open())
    afterEach(async () => {
      await admin.closePages()
      await store.gateway.recover()
    })
    afterAll(async () => {
      await admin.close()
      await store.close()
    })

    tests({ admin, store, payments: new Payments(store) })
  })
}
