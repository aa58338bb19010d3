import { GatewayMalformed, GatewayRejected, GatewayUnavailable } from "./errors"
import type { PaymentRequest, UnreadableRecord } from "./payment-request"
import { ListWalk, type ListSource } from "./walk-list"

const PAGE_SIZE = 3
const EIGHT = ["a", "b", "c", "d", "e", "f", "g", "h"]

/**
 * A list of ids, three to a page; `deal` says what a call gets. An id that ends in `!` is of a broken record, `!` has
 * none.
 */
type Deal = (page: number | undefined, call: number) => string[]

const broken = (id: string): UnreadableRecord => ({
  paymentRequestId: id === "!" ? null : id.slice(0, -1),
  note: null,
  fields: ["amount"],
})

const pageOf = (ids: string[], page: number): string[] => ids.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)

async function walk(
  deal: Deal,
  {
    total = EIGHT.length,
    pageCount = 3,
    maxCalls = 100,
  }: { total?: number | null | ((call: number) => number); pageCount?: number; maxCalls?: number } = {}
): Promise<{ walked: ListWalk; pages: string[][]; unreadable: string[] }> {
  let calls = 0
  const source: ListSource = {
    listPaymentRequests: async ({ page }) => {
      const ids = deal(page, ++calls)
      return {
        paymentRequests: ids
          .filter((id) => !id.endsWith("!"))
          .map((id) => ({ paymentRequestId: id }) as PaymentRequest),
        unreadable: ids.filter((id) => id.endsWith("!")).map(broken),
        pagination: {
          totalCount: typeof total === "function" ? total(calls) : total,
          pageCount,
          pageSize: PAGE_SIZE,
        },
      }
    },
  }
  const walked = new ListWalk(source, maxCalls)
  const pages: string[][] = []
  const unreadable: string[] = []
  for await (const page of walked.freshPages()) {
    pages.push(page.paymentRequests.map(({ paymentRequestId }) => paymentRequestId))
    unreadable.push(...page.unreadable.map(({ paymentRequestId }) => paymentRequestId))
  }
  return { walked, pages, unreadable }
}

describe("ListWalk sees the whole list, each request once,", () => {
  it.each<[string, Deal]>([
    ["of a server whose first page is 1", (page) => pageOf(EIGHT, page ?? 1)],
    ["of a server whose first page is 0", (page) => pageOf(EIGHT, (page ?? 0) + 1)],
    ["of a server that deals each page out twice", (page) => pageOf(EIGHT, Math.ceil((page ?? 1) / 2))],
    ["of a server whose last page never ends", (page) => pageOf(EIGHT, Math.min(page ?? 1, 3))],
    ["of a server that knows no pages and sends all", () => EIGHT],
    ["of a server whose pages overlap", (page) => EIGHT.slice(((page ?? 1) - 1) * 2, (page ?? 1) * 2 + 1)],
    [
      "of a server that refuses the page after the last",
      (page = 1) => {
        if (page > 3) {
          throw new GatewayRejected(404, null)
        }
        return pageOf(EIGHT, page)
      },
    ],
    [
      "of a server that refuses the page after the last without the envelope",
      (page = 1) => {
        if (page > 3) {
          throw new GatewayMalformed({ fields: ["http"], httpStatus: 400 })
        }
        return pageOf(EIGHT, page)
      },
    ],
    [
      "of a server that refuses to be asked for pages, and sends all",
      (page) => {
        if (page !== undefined) {
          throw new GatewayRejected(422, null)
        }
        return EIGHT
      },
    ],
  ])("%s", async (_, deal) => {
    const { walked, pages } = await walk(deal)
    expect(pages.flat().sort()).toEqual(EIGHT)
    expect(walked.gaps).toEqual([])
    expect(walked.isComplete).toBe(true)
  })

  it.each([0, 1, 99])("of a server that states %d pages", async (pageCount) => {
    const { walked, pages } = await walk((page) => pageOf(EIGHT, page ?? 1), { pageCount })
    expect([pages.flat(), walked.isComplete]).toEqual([EIGHT, true])
  })

  it("of a server that states too low a total", async () => {
    const { pages } = await walk((page) => pageOf(EIGHT, page ?? 1), { total: 2 })
    expect(pages.flat()).toEqual(EIGHT)
  })

  it("and an empty one with one call", async () => {
    const { walked } = await walk(() => [], { total: 0 })
    expect([walked.calls, walked.isComplete]).toEqual([1, true])
  })
})

describe("ListWalk over broken records", () => {
  const withBroken = (...ids: string[]): Deal => {
    return (page) => pageOf(ids, page ?? 1)
  }

  it("sees the others, counts each broken one once, and shows those that have an id", async () => {
    const { walked, pages, unreadable } = await walk(withBroken("a", "b!", "c", "d!", "e", "f", "g", "h"))
    expect(pages.flat()).toEqual(["a", "c", "e", "f", "g", "h"])
    expect(unreadable).toEqual(["b", "d"])
    expect([walked.unreadable, walked.gaps, [...walked.seen].sort()]).toEqual([2, [], EIGHT])
  })

  it("does not take a page of broken records for the end", async () => {
    const { walked, pages } = await walk(withBroken("a", "b", "c", "d!", "e!", "f!", "g", "h"))
    expect([pages.flat(), walked.unreadable, walked.isComplete]).toEqual([["a", "b", "c", "g", "h"], 3, true])
  })

  it("has not seen the whole list when a record has no id, and counts it once", async () => {
    const { walked, pages } = await walk(withBroken("a", "b", "c", "d", "!", "f", "g", "!"))
    expect(pages.flat()).toEqual(["a", "b", "c", "d", "f", "g"])
    expect([walked.unreadable, walked.gaps]).toEqual([2, [{ page: null, reason: "record_without_id" }]])
  })

  it("counts those without an id once of a server that deals each page out twice, or has nothing else", async () => {
    const twice = await walk((page) => pageOf(["a", "!", "b", "c"], Math.ceil((page ?? 1) / 2)), { total: 4 })
    const alone = await walk((page) => pageOf(["!", "!"], page ?? 1), { total: 2 })
    expect([twice.walked.unreadable, alone.walked.unreadable, alone.walked.isComplete]).toEqual([1, 2, false])
  })

  it("is complete when the list grows with each read and begins with the newest", async () => {
    const listAt = (call: number): string[] => [
      ...Array.from({ length: call }, (_, index) => `new ${String(call - index)}`),
      ...EIGHT,
    ]
    const { walked, pages } = await walk((page, call) => pageOf(listAt(call), page ?? 1), {
      total: (call) => listAt(call).length,
    })
    expect(pages.flat().filter((id) => !id.startsWith("new"))).toEqual(EIGHT)
    expect([walked.isComplete, walked.calls]).toEqual([true, 7])
  })

  it("sees the whole list of a server that states no total", async () => {
    const { walked, pages } = await walk((page) => pageOf(EIGHT, page ?? 1), { total: null })
    expect([pages.flat(), walked.isComplete]).toEqual([EIGHT, true])
  })
})

describe("ListWalk ends and says that it has not seen the whole list", () => {
  it("of a server that ignores `page`", async () => {
    const { walked, pages } = await walk(() => pageOf(EIGHT, 1))
    expect(pages).toEqual([["a", "b", "c"]])
    expect(walked.gaps).toEqual([{ page: null, reason: "fewer_than_stated" }])
    expect(walked.calls).toBeLessThan(10)
  })

  it("of a server that was down for one page, having read the pages after it", async () => {
    const { walked, pages } = await walk((page, call) => {
      if (call === 3) {
        throw new GatewayUnavailable({ outcomeUnknown: false })
      }
      return pageOf(EIGHT, page ?? 1)
    })
    expect(pages.flat()).toEqual(["a", "b", "c", "g", "h"])
    expect(walked.gaps).toEqual([
      { page: 2, reason: "gateway_unavailable" },
      { page: null, reason: "fewer_than_stated" },
    ])
  })

  it("of which a request moves to the front while it is read: the next walk sees it", async () => {
    const moved = ["h", ...EIGHT.slice(0, 7)]
    const first = await walk((page, call) => pageOf(call < 3 ? EIGHT : moved, page ?? 1))
    expect(first.pages.flat()).toEqual(EIGHT.slice(0, 7))
    expect(first.walked.gaps).toEqual([{ page: null, reason: "fewer_than_stated" }])
    const next = await walk((page) => pageOf(moved, page ?? 1))
    expect([next.pages.flat(), next.walked.isComplete]).toEqual([moved, true])
  })

  it("of a server that changes the order on each read", async () => {
    const orders = ["abcdefgh", "hgfedcba", "aceghbdf", "bdfhaceg", "fbdhaceg"].map((ids) => [...ids])
    const { walked, pages } = await walk((page, call) => pageOf(orders[call - 1] ?? EIGHT, page ?? 1))
    expect(pages.flat().sort()).toEqual(["a", "b", "c", "e", "f", "g", "h"])
    expect(walked.gaps).toEqual([{ page: null, reason: "fewer_than_stated" }])
  })

  it("of which one page is malformed, having read the others", async () => {
    const { walked, pages } = await walk((page) => {
      if (page === 2) {
        throw new GatewayMalformed({ fields: ["data.1.amount"] })
      }
      return pageOf(EIGHT, page ?? 1)
    })
    expect(pages.flat()).toEqual(["a", "b", "c", "g", "h"])
    expect(walked.gaps).toEqual([
      { page: 2, reason: "gateway_malformed at data.1.amount" },
      { page: null, reason: "fewer_than_stated" },
    ])
  })

  it("of which a page is malformed, although its total is stated too low", async () => {
    const { walked } = await walk(
      (page) => {
        if (page === 2) {
          throw new GatewayMalformed({ fields: ["data.1.amount"] })
        }
        return pageOf(EIGHT, page ?? 1)
      },
      { total: 1 }
    )
    expect(walked.isComplete).toBe(false)
  })

  it.each([
    ["before the end", EIGHT.length],
    ["and states no total", 0],
  ])("of a server that refuses a page %s", async (_, total) => {
    const { walked } = await walk(
      (page = 1) => {
        if (page === 2) {
          throw new GatewayRejected(403, null)
        }
        return pageOf(EIGHT, page)
      },
      { total }
    )
    expect(walked.isComplete).toBe(false)
    expect(walked.gaps[0]).toEqual({ page: 2, reason: "gateway_rejected" })
  })

  it("of a server that is down", async () => {
    const { walked, pages } = await walk(() => {
      throw new GatewayUnavailable({ outcomeUnknown: false })
    })
    expect([pages, walked.calls, walked.isComplete]).toEqual([[], 3, false])
    expect(walked.gaps[0]).toEqual({ page: null, reason: "gateway_unavailable" })
  })

  it("of a server that never runs out of new requests", async () => {
    const { walked, pages } = await walk((_, call) => [`endless-${call}`], { total: 1, maxCalls: 7 })
    expect([pages.length, walked.calls]).toEqual([7, 7])
    expect(walked.gaps).toEqual([{ page: 7, reason: "call_limit" }])
  })

  it("and names twenty gaps of many", async () => {
    const { walked } = await walk((page, call) => {
      if (call % 2 === 0) {
        throw new GatewayUnavailable({ outcomeUnknown: false })
      }
      return [`endless-${call}`]
    })
    expect(walked.gaps).toEqual(
      Array.from({ length: 20 }, (_, i) => ({ page: 2 * i + 1, reason: "gateway_unavailable" }))
    )
  })

  it("and lets other errors through", async () => {
    await expect(
      walk(() => {
        throw new Error("not the gateway's")
      })
    ).rejects.toThrow("not the gateway's")
  })
})

describe("ListWalk says why nothing could be read", () => {
  it("when no page was answered", async () => {
    const { walked } = await walk(() => {
      throw new GatewayUnavailable({ outcomeUnknown: false })
    })
    expect(walked.failure).toBeInstanceOf(GatewayUnavailable)
    expect(walked.isComplete).toBe(false)
  })

  it("and not when one page was answered, the first or the last", async () => {
    for (const answered of [1, 3]) {
      const { walked } = await walk((_, call) => {
        if (call !== answered) {
          throw new GatewayUnavailable({ outcomeUnknown: false })
        }
        return ["a"]
      })
      expect([walked.failure, walked.isComplete]).toEqual([null, false])
    }
  })

  it("and not of an account that has no requests", async () => {
    const { walked } = await walk(() => [], { total: 0, pageCount: 0 })
    expect([walked.failure, walked.isComplete]).toEqual([null, true])
  })
})
