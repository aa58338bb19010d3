import type { Payment } from "./payment"
import type { SandboxState } from "./state"

const LARGEST_PAGE = 100

/** An entry of the list: a payment, or anything that a test has put there. */
type Entry = { payment: Payment } | { raw: unknown }

/** One page of the list, newest first, in the chosen behaviour. */
export function listPage(state: SandboxState, query: URLSearchParams) {
  const behaviour = state.settings.listBehaviour
  const size = Math.min(positive(query.get("page_size")) ?? state.settings.listPageSize, LARGEST_PAGE)
  const payments = [...state.payments.values()].map((payment): Entry => ({ payment }))
  const newestFirst = [...payments, ...state.rawRecords.map((raw): Entry => ({ raw }))].reverse()
  const ordered = behaviour === "shuffle" ? shuffle(newestFirst, ++state.listReads) : newestFirst
  const pageCount = Math.ceil(ordered.length / size)
  const page = pageToServe(behaviour, positive(query.get("page")) ?? 1, pageCount)
  return {
    entries: ordered.slice((page - 1) * size, page * size),
    pagination: { total_count: ordered.length, page_count: pageCount, page_size: size },
  }
}

function pageToServe(behaviour: string, asked: number, pageCount: number): number {
  if (behaviour === "repeat_pages") {
    // 1, 1, 2, 2, … and then the last page for ever.
    return Math.min(Math.ceil(asked / 2), Math.max(pageCount, 1))
  }
  return behaviour === "ignore_page" ? 1 : asked
}

const positive = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined

// Another order on each read, and the same orders in each run: a Fisher-Yates shuffle with a small fixed generator.
function shuffle(entries: Entry[], seed: number): Entry[] {
  const shuffled = [...entries]
  let random = seed
  for (let last = shuffled.length - 1; last > 0; last--) {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
    const other = random % (last + 1)
    const kept = shuffled[last] as Entry
    shuffled[last] = shuffled[other] as Entry
    shuffled[other] = kept
  }
  return shuffled
}
