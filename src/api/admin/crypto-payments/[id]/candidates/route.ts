import { answer, viewerOf, type Asking } from "../../respond"
import type { AdminListCandidates } from "../../validators"

/** The orders that could take the received money, the likeliest first. */
export const GET = answer(async (req: Asking<typeof AdminListCandidates>, ledger) => {
  const row = await ledger.requests.require(req.params["id"] ?? "")
  await ledger.money.requireUnused(row)
  return await ledger.money.listCandidates(row, req.validatedQuery.q, await viewerOf(req))
})
