import { readFileSync } from "node:fs"
import path from "node:path"
import type { IEventBusModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { Client } from "pg"
import { CapturedOutput } from "../../support/captured-output"
import { everythingHeard } from "../../support/heard-events"
import { notificationData, signedBody } from "../../support/notification"
import { OrderChanges } from "../../support/order-changes"
import { PayPages, WITH_PUBLIC_URL } from "../../support/pay-page"
import { placePaidOrder } from "../../support/paid-checkout"
import { nothingIsDue, settleDue } from "../../support/settle-due"
import type { PreparedCheckout, Shopper } from "../../support/shopper"
import { describeStore, type StoreUnderTest } from "../../support/store-under-test"

/** What one request costs, with all the work that follows it. */
interface Cost {
  gatewayCalls: number
  /** Everything this process sends to Postgres for it: the plugin's, core's, BEGIN and COMMIT. */
  statements: number
  /** At Medusa's usual level; the access log is not among them. */
  logLines: number
  events: number
}

/** What this measurement itself asks the database. */
const OWN_STATEMENT = /next_check_at <= now\(\) OR lease_until IS NOT NULL/

/** @param request what is measured; its work is over when no row is due or held any more */
async function measureCost(store: StoreUnderTest, request: () => Promise<unknown>): Promise<Cost> {
  await nothingIsDue(store)
  await store.gateway.clearCalls()
  const bus: IEventBusModuleService = store.container.resolve(Modules.EVENT_BUS)
  const emit = jest.spyOn(bus, "emit")
  const query = jest.spyOn(Client.prototype, "query")
  const output = new CapturedOutput(store, "info")
  output.start()
  try {
    await request()
    await nothingIsDue(store)
    return {
      gatewayCalls: (await store.gateway.calls()).length,
      statements: query.mock.calls.filter(([asked]) => !OWN_STATEMENT.test(textOf(asked))).length,
      logLines: output.text.split("\n").filter((line) => line.trim() !== "").length,
      events: emit.mock.calls.flatMap(([messages]) => messages).length,
    }
  } finally {
    output.stop()
    query.mockRestore()
    emit.mockRestore()
  }
}

function textOf(asked: unknown): string {
  return typeof asked === "string" ? asked : String((asked as { text?: unknown } | undefined)?.text)
}

/** The table "What one request can cost" of docs/internals/threat-model.md, by the first column. */
function readBudget(): Map<string, Cost> {
  const page = readFileSync(path.resolve(__dirname, "../../../docs/internals/threat-model.md"), "utf8")
  const section = page.split("### What one request can cost")[1]?.split("\n### ")[0] ?? ""
  const rows = section.split("\n").flatMap((line) => {
    const [, name, ...figures] = line.split("|").map((cell) => cell.trim())
    const [gatewayCalls, statements, logLines, events] = figures.slice(0, 4).map(Number)
    return name === undefined || !Number.isInteger(gatewayCalls)
      ? []
      : [[name, { gatewayCalls, statements, logLines, events } as Cost] as const]
  })
  return new Map(rows)
}

interface Visit extends PreparedCheckout {
  shopper: Shopper
  /** The session of a link that asks for less than its order owes. */
  outdated?: string
  /** The address of the pay page of a draft order. */
  payPage?: string
}

async function notify({ webhookUrl }: StoreUnderTest, body: string): Promise<number> {
  const headers = { "content-type": "application/json" }
  return (await fetch(webhookUrl, { method: "POST", body, headers })).status
}

/** As if the last reading of the gateway were long ago. */
async function age(store: StoreUnderTest): Promise<void> {
  await store.knex("crypto_payment_request").update({
    created_at: store.knex.raw("created_at - interval '1 minute'"),
    last_checked_at: store.knex.raw("last_checked_at - interval '1 minute'"),
    check_requested_at: null,
  })
}

describeStore(
  "what one request of a visitor costs",
  (store) => {
    const visit = async (): Promise<Visit> => {
      const shopper = store.shopper()
      const visit = { ...(await shopper.checkout()), shopper }
      // The first time, caches of this process are filled.
      await shopper.complete(visit.cartId)
      await shopper.openSession(visit.collectionId)
      await age(store)
      return { ...visit, session: { ...visit.session, id: await sessionOf(visit) } }
    }
    const sessionOf = async ({ cartId }: PreparedCheckout): Promise<string> => {
      const row = await store.knex("crypto_payment_request").where({ cart_id: cartId }).first("session_id")
      return row.session_id as string
    }
    const bodyOf = ({ session }: Visit, secretKey?: string): string =>
      signedBody(notificationData(session.data.payment_request_id), secretKey)

    const changes = new OrderChanges(store)
    /** A paid order grows, gets a link for the rest, and grows again. */
    const outdate = async (visit: Visit): Promise<void> => {
      const { orderId } = await placePaidOrder(store)
      const grow = async (): Promise<void> => {
        await changes.raise(orderId)
        await everythingHeard(store)
        await settleDue(store)
      }
      await grow()
      const [rest] = await changes.openCollections(orderId)
      visit.outdated = (await changes.link(String(rest?.id))).sessionId
      await grow()
      await age(store)
    }
    const offer = async (isOffered: boolean): Promise<void> => {
      const path = `/regions/${store.seeded.regions.usd}`
      const providers = isOffered ? ["pp_crypto_default", "pp_system_default"] : ["pp_system_default"]
      await changes.post(path, { payment_providers: providers })
    }
    const refuseCreations = async (): Promise<void> => {
      await store.gateway.fail({ endpoint: "create", kind: "status", status: 403 })
    }
    const correctEmail = async ({ shopper, cartId }: Visit): Promise<unknown> =>
      await shopper.post(`/carts/${cartId}`, { email: "corrected@example.com" })
    const pollOutdated = async ({ shopper, outdated }: Visit): Promise<unknown> =>
      await shopper.get(`/crypto-payments/${String(outdated)}`)

    const pages = new PayPages(store)
    const givePage = async (visit: Visit): Promise<void> => {
      visit.payPage = await pages.of(await pages.draft())
    }
    const openPage = async ({ payPage }: Visit): Promise<unknown> => await pages.get(String(payPage))
    const pressPay = async ({ payPage }: Visit): Promise<unknown> => await pages.link(String(payPage))

    /** Each with what is done before it and is not counted. */
    const REQUESTS: Record<
      string,
      {
        before?: (visit: Visit) => Promise<unknown>
        request: (visit: Visit) => Promise<unknown>
      }
    > = {
      "a new cart and its session": {
        request: async ({ shopper }) =>
          await shopper.openSession(await shopper.collection(await shopper.cart())),
      },
      "the session again": {
        request: async ({ shopper, collectionId }) => await shopper.openSession(collectionId),
      },
      "the session again, at once": {
        before: async ({ shopper, collectionId }) => await shopper.openSession(collectionId),
        request: async ({ shopper, collectionId }) => await shopper.openSession(collectionId),
      },
      "the session again, with another e-mail address": {
        before: async (visit) => await correctEmail(visit),
        request: async ({ shopper, collectionId }) => await shopper.openSession(collectionId),
      },
      "the same, while the gateway refuses a new link": {
        before: async (visit) => {
          await correctEmail(visit)
          await refuseCreations()
        },
        request: async ({ shopper, collectionId }) => await shopper.openSession(collectionId),
      },
      "changing the cart": {
        request: async ({ shopper, cartId }) =>
          await shopper.post(`/carts/${cartId}/line-items`, {
            variant_id: store.seeded.variantIds[1],
            quantity: 1,
          }),
      },
      "completing an unpaid cart": {
        request: async ({ shopper, cartId }) => await shopper.complete(cartId),
      },
      "completing it again, at once": {
        before: async ({ shopper, cartId }) => await shopper.complete(cartId),
        request: async ({ shopper, cartId }) => await shopper.complete(cartId),
      },
      "completing a cart whose region does not offer the provider": {
        before: async () => {
          await offer(false)
        },
        request: async ({ shopper, cartId }) => await shopper.complete(cartId),
      },
      "a first poll": {
        request: async ({ shopper, session }) => await shopper.get(`/crypto-payments/${session.id}`),
      },
      "the poll again": {
        before: async ({ shopper, session }) => await shopper.get(`/crypto-payments/${session.id}`),
        request: async ({ shopper, session }) => await shopper.get(`/crypto-payments/${session.id}`),
      },
      "a poll of an outdated link": {
        before: async (visit) => await outdate(visit),
        request: async (visit) => await pollOutdated(visit),
      },
      "that poll again": {
        before: async (visit) => {
          await outdate(visit)
          await pollOutdated(visit)
        },
        request: async (visit) => await pollOutdated(visit),
      },
      "opening a pay page": {
        before: async (visit) => await givePage(visit),
        request: async (visit) => await openPage(visit),
      },
      "opening a page that does not exist": {
        before: async (visit) => await givePage(visit),
        request: async (visit) =>
          await openPage({ ...visit, payPage: `${String(visit.payPage).slice(0, -43)}${"a".repeat(43)}` }),
      },
      "pressing its button": {
        before: async (visit) => await givePage(visit),
        request: async (visit) => await pressPay(visit),
      },
      "pressing it again": {
        before: async (visit) => {
          await givePage(visit)
          await pressPay(visit)
        },
        request: async (visit) => await pressPay(visit),
      },
      "a genuine notification": {
        request: async (visit) => await notify(store, bodyOf(visit)),
      },
      "a replay of it": {
        before: async (visit) => await notify(store, bodyOf(visit)),
        request: async (visit) => await notify(store, bodyOf(visit)),
      },
      "a forged notification": {
        before: async (visit) => await notify(store, bodyOf(visit, "another secret")),
        request: async (visit) => await notify(store, bodyOf(visit, "another secret")),
      },
    }

    const measure = async (name: string): Promise<Cost> => {
      const visited = await visit()
      const { before, request } = REQUESTS[name] as (typeof REQUESTS)[string]
      if (before !== undefined) {
        // Its work is over when this answers.
        await measureCost(store, async () => await before(visited))
      }
      return await measureCost(store, async () => await request(visited))
    }

    it("is told of every kind of request, and of no other", () => {
      expect([...readBudget().keys()]).toEqual(Object.keys(REQUESTS))
    })

    it.each(Object.keys(REQUESTS))("%s: no more than the threat model says", async (name) => {
      const cost = await measure(name)
      const budget = readBudget().get(name)
      process.stdout.write(`cost of ${name}: ${JSON.stringify(cost)}\n`)
      const over = Object.entries(cost).filter(
        ([figure, count]) => !(count <= (budget?.[figure as keyof Cost] ?? -1))
      )
      expect(over).toEqual([])
      // Fewer would mean that nothing was measured.
      expect(cost.gatewayCalls).toBe(budget?.gatewayCalls)
    })
  },
  WITH_PUBLIC_URL
)
