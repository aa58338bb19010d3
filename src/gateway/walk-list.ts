import { GatewayError, GatewayMalformed, isRefusal } from "./errors"
import type { ListedPage, PaymentRequest, UnreadableRecord } from "./payment-request"

/** So many pages in a row that bring nothing new end a pass: a server may deal each page out twice. */
const MAX_BARREN_PAGES = 3
/** A list that changes while it is read is read again, so many times in all. */
const MAX_PASSES = 5
/** Reasons are for the reader of the report; the first few are enough. */
const MAX_GAPS = 20

/** What a walk needs; `GatewayClient` is one. */
export interface ListSource {
  listPaymentRequests(options: { page?: number }): Promise<ListedPage>
}

/** What a page shows that was not seen before. */
export interface FreshPage {
  paymentRequests: PaymentRequest[]
  /** Broken records whose id can be read. If the record is complete on another page, it is yielded there too. */
  unreadable: (UnreadableRecord & { paymentRequestId: string })[]
}

type Listed = Omit<ListedPage, "pagination">

/** Why the whole list was not seen. */
export interface ListGap {
  /** The requested `page`; null for the call without one and for what concerns the list as a whole. */
  page: number | null
  /**
   * A gateway error's code, with the wire fields that are wrong; `fewer_than_stated`; `record_without_id`;
   * `call_limit`.
   */
  reason: string
}

/**
 * Walks the gateway's list to its end, whatever its paging does. The interface shows no paging, so nothing is taken
 * for granted: not that `page` is heeded, where it starts, that pages do not repeat or move, nor what the pagination
 * object says. The walk always ends: it makes at most `maxCalls` calls.
 *
 * It keeps one page and the seen ids in memory, twice while a pass is repeated.
 *
 * @see gateway interface, "List payment requests": query parameters not shown
 */
export class ListWalk {
  /** Every payment request id the list has shown, of broken records too. */
  readonly seen = new Set<string>()
  /** Requested pages, including those that failed. */
  calls = 0
  /** Why the list could not be read at all; null as soon as one page was answered. */
  failure: GatewayError | null = null
  /** Of the pass last begun; empty once the whole list was seen. */
  gaps: ListGap[] = []
  private statedTotal = 0
  private isAnswered = false
  /** Ids of records that were whole. */
  private readonly read = new Set<string>()
  /** Broken records of the pass last begun that have no id. */
  private nameless = 0

  constructor(
    private readonly source: ListSource,
    private readonly maxCalls: number
  ) {}

  /** Whether the whole list was seen: asked after the walk. A total that is stated too low cannot be detected. */
  get isComplete(): boolean {
    return this.gaps.length === 0
  }

  /** How many records could not be read, whenever they were shown. One without an id may be any request. */
  get unreadable(): number {
    return this.seen.size - this.read.size + this.nameless
  }

  /**
   * Yields, page by page, what was not seen before.
   *
   * @throws what is not a `GatewayError`; those become gaps, and the walk goes on
   */
  async *freshPages(): AsyncGenerator<FreshPage, void> {
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const seenBefore = this.seen.size
      yield* this.pass(pass === 0 ? this.seen : new Set())
      if (this.isComplete || this.calls >= this.maxCalls || this.seen.size === seenBefore) {
        return
      }
    }
  }

  /** @param seenInPass a page is barren by what this pass has shown: a later pass starts with what is known already */
  private async *pass(seenInPass: Set<string>): AsyncGenerator<FreshPage, void> {
    this.gaps = []
    this.statedTotal = 0
    this.nameless = 0
    let barren = 0
    // First without a page, then from 1: also a server that ignores `page`, or counts from 0, is read from its start.
    for (let page: number | null = null; barren < MAX_BARREN_PAGES; page = (page ?? 0) + 1) {
      if (this.calls >= this.maxCalls) {
        this.addGap({ page, reason: "call_limit" })
        return
      }
      const listed = await this.list(page)
      if (listed === "end") {
        break
      }
      const records = [...listed.paymentRequests, ...listed.unreadable]
      const ids = records.flatMap(({ paymentRequestId }) => paymentRequestId ?? [])
      const isBarren = ids.every((id) => seenInPass.has(id))
      barren = isBarren ? barren + 1 : 0
      this.countNameless(page, records.length - ids.length, isBarren)
      const fresh = this.takeFresh(listed)
      ids.forEach((id) => seenInPass.add(id))
      if (fresh.paymentRequests.length + fresh.unreadable.length > 0) {
        yield fresh
      }
    }
    if (this.seen.size + this.nameless < this.statedTotal) {
      this.addGap({ page: null, reason: "fewer_than_stated" })
    }
  }

  private takeFresh({ paymentRequests, unreadable }: Listed): FreshPage {
    const fresh: FreshPage = { paymentRequests: [], unreadable: [] }
    for (const request of paymentRequests) {
      if (!this.read.has(request.paymentRequestId)) {
        fresh.paymentRequests.push(request)
      }
      this.read.add(request.paymentRequestId)
      this.seen.add(request.paymentRequestId)
    }
    for (const record of unreadable) {
      const { paymentRequestId } = record
      if (paymentRequestId !== null && !this.seen.has(paymentRequestId)) {
        fresh.unreadable.push({ ...record, paymentRequestId })
        this.seen.add(paymentRequestId)
      }
    }
    return fresh
  }

  /** A page that shows nothing new is one that was seen before, and its records without an id are too. */
  private countNameless(page: number | null, nameless: number, isBarren: boolean): void {
    if (nameless > 0 && this.nameless === 0) {
      this.addGap({ page, reason: "record_without_id" })
    }
    this.nameless = isBarren ? Math.max(this.nameless, nameless) : this.nameless + nameless
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
      this.statedTotal = Math.max(this.statedTotal, pagination.totalCount ?? 0)
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
      this.addGap({ page, reason: reasonOf(error) })
      return { paymentRequests: [], unreadable: [] }
    }
  }

  private addGap(gap: ListGap): void {
    if (this.gaps.length < MAX_GAPS) {
      this.gaps.push(gap)
    }
  }
}

function reasonOf(error: GatewayError): string {
  return error instanceof GatewayMalformed ? `${error.code} at ${error.fields.join(", ")}` : error.code
}
