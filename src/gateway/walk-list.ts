import { GatewayError, GatewayMalformed, isRefusal } from "./errors"
import type { ListedPage, PaymentRequest, UnreadableRecord } from "./payment-request"

/** After this many pages in a row without a new record, the walk ends: a server may send each page twice. */
const MAX_BARREN_PAGES = 3
/** The report needs only the first few reasons. */
const MAX_GAPS = 20

/** Usually a `GatewayClient`. */
export interface ListSource {
  listPaymentRequests(options: { page?: number }): Promise<ListedPage>
}

/** The records of a page that were not seen before. */
export interface FreshPage {
  paymentRequests: PaymentRequest[]
  /** Broken records whose id can be read. */
  unreadable: (UnreadableRecord & { paymentRequestId: string })[]
}

type Listed = Omit<ListedPage, "pagination">

/** Why the list is incomplete. */
export interface ListGap {
  /** The requested `page`; null for the call without one, and for a gap in the whole list. */
  page: number | null
  /** A gateway error's code with the wrong wire fields; `fewer_than_stated`; `record_without_id`; `call_limit`. */
  reason: string
}

/**
 * Walks the gateway's list to its end. The interface shows no paging, so the walk assumes nothing: not that `page` is
 * obeyed, where it starts, that pages do not repeat or move, nor that the pagination object is right. It makes at most
 * `maxCalls` calls. It keeps one page and the seen ids in memory. What it misses is left to the next walk.
 *
 * @see gateway interface, "List payment requests": query parameters not shown
 */
export class ListWalk {
  /** Ids of all records, broken ones too. */
  readonly seen = new Set<string>()
  /** Requested pages, failed ones too. */
  calls = 0
  /** How many records could not be read. One without an id may be any request. */
  unreadable = 0
  /** Why the list could not be read at all; null once one page was answered. */
  failure: GatewayError | null = null
  readonly gaps: ListGap[] = []
  private statedTotal = 0
  private isAnswered = false

  constructor(
    private readonly source: ListSource,
    private readonly maxCalls: number
  ) {}

  /** Ask after the walk. A stated total that is too low cannot be detected. */
  get isComplete(): boolean {
    return this.gaps.length === 0
  }

  /** Yields, page by page, what was not seen before. A `GatewayError` becomes a gap; other errors are thrown. */
  async *freshPages(): AsyncGenerator<FreshPage, void> {
    let barren = 0
    let nameless = 0
    // First without a page, then from 1: so a server that ignores `page` or counts from 0 is read from its start.
    for (let page: number | null = null; barren < MAX_BARREN_PAGES; page = (page ?? 0) + 1) {
      if (this.calls >= this.maxCalls) {
        this.addGap({ page, reason: "call_limit" })
        return
      }
      const listed = await this.list(page)
      if (listed === "end") {
        break
      }
      const fresh = this.takeFresh(listed)
      const isBarren = fresh.paymentRequests.length + fresh.unreadable.length === 0
      barren = isBarren ? barren + 1 : 0
      if (!isBarren) {
        yield fresh
      }
      // A page without a new record was seen before, and so were its records without an id.
      const without = listed.unreadable.filter(({ paymentRequestId }) => paymentRequestId === null).length
      nameless += nameless === 0 || !isBarren ? without : 0
    }
    this.unreadable += nameless
    if (nameless > 0) {
      this.addGap({ page: null, reason: "record_without_id" })
    }
    if (this.seen.size + nameless < this.statedTotal) {
      this.addGap({ page: null, reason: "fewer_than_stated" })
    }
  }

  private takeFresh({ paymentRequests, unreadable }: Listed): FreshPage {
    const isNew = (id: string): boolean => !this.seen.has(id) && this.seen.add(id).has(id)
    const fresh: FreshPage = {
      paymentRequests: paymentRequests.filter(({ paymentRequestId }) => isNew(paymentRequestId)),
      unreadable: unreadable.flatMap(({ paymentRequestId: id, ...broken }) =>
        id !== null && isNew(id) ? { ...broken, paymentRequestId: id } : []
      ),
    }
    this.unreadable += fresh.unreadable.length
    return fresh
  }

  /** @returns an empty page when it could not be read */
  private async list(page: number | null): Promise<Listed | "end"> {
    this.calls++
    try {
      const { paymentRequests, unreadable, pagination } = await this.source.listPaymentRequests(
        page === null ? {} : { page }
      )
      this.isAnswered = true
      this.failure = null
      // The first one. Requests that are made later usually are on pages that were read already.
      this.statedTotal ||= pagination.totalCount ?? 0
      return paymentRequests.length + unreadable.length === 0 ? "end" : { paymentRequests, unreadable }
    } catch (error) {
      if (!(error instanceof GatewayError)) {
        throw error
      }
      // A server may also refuse the page after its last one.
      const isPastTheEnd = this.statedTotal > 0 && this.seen.size >= this.statedTotal
      if (isPastTheEnd && isRefusal(error)) {
        return "end"
      }
      this.failure ??= this.isAnswered ? null : error
      const { code } = error
      const reason = error instanceof GatewayMalformed ? `${code} at ${error.fields.join(", ")}` : code
      this.addGap({ page, reason })
      return { paymentRequests: [], unreadable: [] }
    }
  }

  private addGap(gap: ListGap): void {
    if (this.gaps.length < MAX_GAPS) {
      this.gaps.push(gap)
    }
  }
}
