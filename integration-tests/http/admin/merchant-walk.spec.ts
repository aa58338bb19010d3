import { ACTS, endOpenChange, readBalance } from "../../chaos/acts"
import { ORDER_FIRST, ORDER_FIRST_ENVIRONMENT } from "../../support/order-first"
import { makeDraft } from "../../support/draft-order"
import { inParallel } from "../../support/in-parallel"
import { PayPages, WITH_PUBLIC_URL } from "../../support/pay-page"
import { payOrphan, placePaidOrder } from "../../support/paid-checkout"
import { Refunds } from "../../support/refunds"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { comeToRest, walk, WALK_LIMIT_MS, type Moves } from "../../support/walk"
import { readBalances } from "../../support/walk-oracle"

interface Desk {
  id: string
  /** Each order's sums after the last step, and whether money made them wrong: who edits an order knows what it owes. */
  seen: Map<string, { owed: number; booked: number; captures: number; isWrongByMoney: boolean }>
}

/** How often each act of the chaos runs is drawn. */
const OF_CHAOS = {
  pay_link: 8,
  pay_at_page: 10,
  edit_up: 14,
  edit_down: 8,
  begin_edit: 2,
  end_edit: 3,
  request_return: 8,
  end_return: 5,
  credit: 2,
  ask_for_payment: 5,
  offer_link: 8,
  reopen_payment_step: 4,
  delete_collection: 2,
} satisfies Partial<Record<keyof typeof ACTS, number>>

describeStore(
  "a merchant's walk",
  (store) => {
    const changes = new Refunds(store)
    const requests = async () => await store.knex("crypto_payment_request").orderBy("created_at")
    const drawn = <Row>(rows: Row[], choice: number): Row => {
      const row = rows[choice % rows.length]
      if (row === undefined) {
        throw new Error("there is none")
      }
      return row
    }
    const unpaid = async (): Promise<string[]> => {
      const payments = await store.gateway.payments()
      return payments.flatMap((one) => (one.paid_at === null ? one.payment_request_id : []))
    }
    async function pay(id: string, isNotified: boolean): Promise<void> {
      await store.gateway.pay(id)
      if (isNotified) {
        await store.gateway.notify(id)
      }
    }
    const orderForAct = ({ id }: Desk) => ({
      id,
      isDraft: false,
      changes,
      knex: store.knex,
      seeded: store.seeded,
      http: store.http,
      shopper: store.shopper(),
      pages: new PayPages(store),
      payLink: async (choice: number, link?: string) =>
        await pay(link ?? drawn(await unpaid(), choice), choice % 2 === 0),
    })
    const ofChaos = Object.entries(OF_CHAOS).map(([act, weight]): [string, Moves<Desk>[string]] => [
      act,
      [weight, async (desk, choice) => await ACTS[act as keyof typeof OF_CHAOS](orderForAct(desk), choice)],
    ])

    const MOVES: Moves<Desk> = {
      ...Object.fromEntries(ofChaos),
      pay_two_links: [
        3,
        async () => {
          const links = (await unpaid()).slice(-2)
          await inParallel(links.length, 2, async (index) => await pay(links[index] ?? "", true))
        },
      ],
      pay_before_edit: [
        16,
        async (desk, choice) => {
          await pay((await unpaid()).at(-1) ?? "", false)
          await ACTS[choice % 2 === 0 ? "edit_down" : "edit_up"](orderForAct(desk), choice)
        },
      ],
      use_other_money: [
        8,
        async ({ id }, choice) => {
          const received = store
            .knex("crypto_payment_request")
            .where({ state: "paid", refund_registered_at: null })
            .whereNotNull("attention_reason")
            .orderBy("created_at")
          const money = choice % 2 === 0 ? await payOrphan(store) : drawn(await received, choice)
          await changes.must(`/crypto-payments/${String(money.id)}/apply`, { order_id: id })
        },
      ],
      end_change: [2, (desk) => endOpenChange(orderForAct(desk))],
      mark_as_paid: [
        10,
        async (desk, choice) => {
          // Sometimes more than is owed.
          const owed = Math.max(Number((await readBalance(store.knex, desk.id))?.owed ?? 0), 10)
          const part = choice % 2 === 0 ? owed : Math.ceil(owed * 50) / 100
          const open = (await changes.openCollections(desk.id)).at(-1)
          const collection =
            choice % 3 === 0 ? open?.id : await changes.collection({ orderId: desk.id }, part)
          await changes.must(`/payment-collections/${String(collection)}/mark-as-paid`, { order_id: desk.id })
        },
      ],
      refund: [
        8,
        async (_, choice) => {
          const paid = (await requests()).filter(({ paid_at }) => paid_at !== null)
          const { id, amount, attention_amount } = drawn(paid, choice)
          const refunded = drawn(
            [amount, (Number(amount) / 2).toFixed(2), attention_amount ?? "1.00"],
            choice
          )
          await changes.must(`/crypto-payments/${String(id)}/refunds`, {
            amount: refunded,
            // Some are registered again.
            reference: `0x${String(choice % 3)}`,
          })
        },
      ],
      refund_another: [
        3,
        async (_, choice) => {
          const paid = await store
            .knex("payment")
            .where("provider_id", "pp_system_default")
            .whereNotNull("captured_at")
          const { id, amount } = drawn(paid, choice)
          await changes.must(`/payments/${String(id)}/refund`, {
            amount: choice % 2 === 0 ? Number(amount) : 1,
          })
        },
      ],
      cancel: [4, ({ id }) => changes.must(`/orders/${id}/cancel`)],
      check_now: [
        4,
        async (_, choice) =>
          await changes.must(`/crypto-payments/${String(drawn(await requests(), choice).id)}/settle`),
      ],
      close_case: [
        2,
        async (_, choice) => {
          const open = (await requests()).filter(
            (one) => one.attention_reason !== null && one.attention_resolved_at === null
          )
          await changes.must(`/crypto-payments/${String(drawn(open, choice).id)}/resolve`, {
            note: "by hand",
          })
        },
      ],
      schedule: [8, (_, choice) => (choice % 2 === 0 ? settleDue(store) : comeToRest(store))],
    }

    /** An order that was paid by its link, one that was placed unpaid, or a draft. */
    async function begin(choice: number): Promise<Desk> {
      const seen: Desk["seen"] = new Map()
      if (choice % 5 === 0) {
        return { id: (await makeDraft(store)).orderId, seen }
      }
      if (choice % 5 === 1) {
        return { id: (await placePaidOrder(store)).orderId, seen }
      }
      const shopper = store.shopper()
      const { cartId } = await shopper.checkout({ currency: choice % 2 === 0 ? "usd" : "aed" }, ORDER_FIRST)
      const { data } = await shopper.complete(cartId)
      return { id: data.order.id, seen }
    }

    /** Which orders owe something, or too much was paid for, because of money and not because somebody edited them. */
    async function look({ seen }: Desk, wasAlone: boolean): Promise<void> {
      await store.untilQuiet()
      for (const { id, captures, ...sums } of await readBalances(store)) {
        const [owed, booked] = [Number(sums.owed), Number(sums.booked)]
        const before = seen.get(id)
        const isMoney = owed < 0 ? booked > (before?.booked ?? 0) : captures > (before?.captures ?? 0)
        const isKept = before?.isWrongByMoney === true && Math.sign(before.owed) === Math.sign(owed)
        seen.set(id, {
          owed,
          booked,
          captures,
          isWrongByMoney: wasAlone && owed !== 0 && (isMoney || isKept),
        })
      }
    }

    it(
      "leaves each payment captured once, and each case true to the cent",
      async () => {
        const known = ({ seen }: Desk): string[] =>
          [...seen].flatMap(([id, one]) => (one.isWrongByMoney ? [] : id))
        await walk(store, { moves: MOVES, begin, look, known })
      },
      WALK_LIMIT_MS
    )
  },
  { ...ORDER_FIRST_ENVIRONMENT, ...WITH_PUBLIC_URL }
)
