import { GatewayError } from "./errors/gateway-error"
import { GatewayMalformed } from "./errors/gateway-malformed"
import { GatewayRejected } from "./errors/gateway-rejected"
import type { Pagination, PaymentRequest } from "./types"

/** So many pages in a row that bring nothing new end a pass: a server may deal each page out twice. */
const MAX_BARREN_PAGES = 3
/** A list that changes while it is read is read again, so many times in all. */
const MAX_PASSES = 5
/** Reasons are for a person; the first few say it. */
const MAX_GAPS = 20

/** What a walk needs; `GatewayClient` is one. */
export interface ListSource {
  listPaymentRequests(options: {
    page?: number
  }): Promise<{ paymentRequests: PaymentRequest[]; pagination: Pagination }>
}

/** Why the whole list was not seen. */
export interface ListGap {
  /** The `page` that was asked for; null for the call without one and for what concerns the list as a whole. */
  page: number | null
  /** A gateway error's code, with the wire fields that are wrong; `fewer_than_stated`; `call_limit`. */
  reason: string
}

/**
 * Walks the gateway's list to its end, whatever its paging does. The interface shows no paging, so nothing is taken
 * for granted: not that `page` is heeded, where it starts, that pages do not repeat or move, nor what the pagination
 * object says. The walk always ends: it makes at most `maxCalls` calls.
 *
 * Memory holds one page and the ids seen, twice while a pass is repeated.
 *
 * @see gateway interface, "List payment requests": query parameters not shown
 */
export class ListWalk {
  /** Every payment request id the list has shown. */
  readonly seen = new Set<string>()
  /** Pages asked for, those that failed included. */
  calls = 0
  /** Of the pass last begun; empty once the whole list was seen. */
  gaps: ListGap[] = []
  private statedTotal = 0

  constructor(
    private readonly source: ListSource,
    private readonly maxCalls: number
  ) {}

  /** Whether the whole list was seen: asked after the walk. A total that is stated too low cannot be told. */
  get isComplete(): boolean {
    return this.gaps.length === 0
  }

  /**
   * Yields, page by page, what was not seen before.
   *
   * @throws what is not a `GatewayError`; those become gaps, and the walk goes on
   */
  async *freshPages(): AsyncGenerator<PaymentRequest[], void> {
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const seenBefore = this.seen.size
      yield* this.pass(pass === 0 ? this.seen : new Set())
      if (this.isComplete || this.calls >= this.maxCalls || this.seen.size === seenBefore) {
        return
      }
    }
  }

  /** @param seenInPass a page is barren by what this pass has shown: a later pass starts with what is known already */
  private async *pass(seenInPass: Set<string>): AsyncGenerator<PaymentRequest[], void> {
    this.gaps = []
    this.statedTotal = 0
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
      const seenInPassBefore = seenInPass.size
      const fresh = takeFresh(listed, this.seen)
      if (seenInPass !== this.seen) {
        takeFresh(listed, seenInPass)
      }
      barren = seenInPass.size === seenInPassBefore ? barren + 1 : 0
      if (fresh.length > 0) {
        yield fresh
      }
    }
    if (this.seen.size < this.statedTotal) {
      this.addGap({ page: null, reason: "fewer_than_stated" })
    }
  }

  /** @returns an empty page when it could not be read */
  private async list(page: number | null): Promise<PaymentRequest[] | "end"> {
    this.calls++
    try {
      const { paymentRequests, pagination } = await this.source.listPaymentRequests(
        page === null ? {} : { page }
      )
      this.statedTotal = Math.max(this.statedTotal, pagination.totalCount)
      return paymentRequests.length === 0 ? "end" : paymentRequests
    } catch (error) {
      if (!(error instanceof GatewayError)) {
        throw error
      }
      // A server may also refuse the page after its last one.
      const isPastTheEnd = this.statedTotal > 0 && this.seen.size >= this.statedTotal
      if (error instanceof GatewayRejected && isPastTheEnd) {
        return "end"
      }
      this.addGap({ page, reason: reasonOf(error) })
      return []
    }
  }

  private addGap(gap: ListGap): void {
    if (this.gaps.length < MAX_GAPS) {
      this.gaps.push(gap)
    }
  }
}

function takeFresh(listed: PaymentRequest[], seen: Set<string>): PaymentRequest[] {
  return listed.filter(({ paymentRequestId }) => {
    const isFresh = !seen.has(paymentRequestId)
    seen.add(paymentRequestId)
    return isFresh
  })
}

function reasonOf(error: GatewayError): string {
  return error instanceof GatewayMalformed ? `${error.code} at ${error.fields.join(", ")}` : error.code
}
