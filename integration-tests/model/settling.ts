import { actSteps, beginAct } from "./acts"
import { finish, isFree, readGateway, recordReadingUnderLease } from "./ledger"
import { numberOf } from "./pool"
import { readFacts, stepAfterAct, stepAfterCheck, stepAfterFacts, stepAfterLease } from "./product"
import { itemAt, spend, withRow, withSettle, type Settling, type State, type Step } from "./state"
import type { Move } from "./moves"

/** A settle, as `steps/settle-request.ts` runs it around the product's loop. `{0}` and `{1}` are its name in a story. */

/** A settle takes a row that is due and that nobody holds. */
export function beginSettles(state: State, moves: Move[]): void {
  const who = state.settles[0] === null ? 0 : 1
  if (state.settles[who] !== null) {
    return
  }
  for (const [place, row] of state.rows.entries()) {
    if (row.due === "now" && isFree(row)) {
      const leased = withRow(state, place, { lease: who, isAsked: false, isHurried: false })
      const settling: Settling = {
        row: place,
        // A row that is paid is not read again.
        at: row.paid === null ? "read" : "loop",
        reading: null,
        step: row.paid === null ? null : stepAfterCheck(itemAt(leased.rows, place), null),
        core: null,
      }
      moves.push({
        says: `settle {${who}} takes the row of link ${row.link + 1}`,
        to: withSettle(leased, who, settling),
      })
    }
  }
}

export function settleMoves(state: State, who: 0 | 1, moves: Move[]): void {
  const settling = state.settles[who]
  if (settling === null) {
    return
  }
  const name = `settle {${who}}`
  const row = itemAt(state.rows, settling.row)
  switch (settling.at) {
    case "read": {
      const reading = readGateway(state, row)
      moves.push({
        says: `${name} reads the gateway: ${reading}`,
        to: withSettle(state, who, { ...settling, at: "record", reading }),
      })
      if (state.left.refusals > 0) {
        moves.push({
          says: `${name} reads the gateway, which refuses`,
          to: withSettle(spend(state, "refusals"), who, { ...settling, at: "record", reading: "refused" }),
          isOutside: true,
        })
      }
      return
    }
    case "record": {
      const reading = settling.reading ?? "refused"
      const recorded = recordReadingUnderLease(state, settling.row, who, reading)
      if (recorded.kind === "lost") {
        moves.push(lost(state, who))
        return
      }
      const known = itemAt(recorded.state.rows, settling.row)
      const failure = reading === "refused" && known.paid === null ? "refused" : null
      moves.push({
        says: `${name} records ${reading}`,
        to: withSettle(recorded.state, who, {
          ...settling,
          at: "loop",
          reading: null,
          step: stepAfterCheck(known, failure),
        }),
      })
      return
    }
    case "loop":
      loopMoves(state, who, settling, settling.step as Step, moves)
      return
    case "announce":
      moves.push({
        says: `${name} sends its announcements`,
        to: withSettle(sendAnnouncements(state, settling.row), who, null),
      })
  }
}

/** One step of the product's loop. */
function loopMoves(state: State, who: 0 | 1, settling: Settling, step: Step, moves: Move[]): void {
  const name = `settle {${who}}`
  const goOn = (to: State, change: Partial<Settling>): State =>
    withSettle(to, who, { ...settling, ...change })
  switch (step.wants) {
    case "facts": {
      const next = stepAfterFacts(step, readFacts(state, settling.row))
      const says =
        next.wants === "finish" ? "wants to end" : `decides to ${String("act" in next && next.act)}`
      moves.push({ says: `${name} reads Medusa and ${says}`, to: goOn(state, { step: next }) })
      return
    }
    case "lease":
      if (itemAt(state.rows, settling.row).lease === who) {
        const to = goOn(state, { step: stepAfterLease(step), core: beginAct(step.act) })
        // Nothing can come between the lease and the act, as time does not pass within acts.
        settleMoves(to, who, moves)
      } else {
        moves.push(lost(state, who))
      }
      return
    case "act":
      for (const { says, state: after, next, isOutside = false } of actSteps(state, who, settling, step)) {
        moves.push({
          says: `${name}: ${says}`,
          isOutside,
          to: withSettle(
            after,
            who,
            "done" in next
              ? { ...settling, core: null, step: stepAfterAct(step, next.done) }
              : { ...settling, core: next }
          ),
        })
      }
      return
    case "finish": {
      const finished = finish(state, settling.row, who, step)
      if (finished.kind === "lost") {
        moves.push(lost(state, who))
        return
      }
      const { settledNews, caseNews } = itemAt(finished.state.rows, settling.row)
      const hasNews = settledNews === "written" || caseNews === "written"
      moves.push({
        says: `${name} ends: ${describe(step)}`,
        to: hasNews
          ? withSettle(finished.state, who, { ...settling, at: "announce", step: null })
          : withSettle(finished.state, who, null),
      })
    }
  }
}

function describe({ outcome }: Step & { wants: "finish" }): string {
  if (outcome.attention !== undefined) {
    return `attention ${outcome.attention}`
  }
  if (outcome.settledAt !== null) {
    return "settled"
  }
  return outcome.nextCheckAt === null ? "nothing more follows" : "to be looked at again"
}

const lost = (state: State, who: 0 | 1): Move => ({
  says: `settle {${who}} finds that another settle has the row`,
  to: withSettle(state, who, null),
})

/** What is written in the outbox is sent, and then removed from it. */
export function sendAnnouncements(state: State, place: number): State {
  const { settledNews, caseNews } = itemAt(state.rows, place)
  return withRow(state, place, {
    settledNews: settledNews === "written" ? "sent" : settledNews,
    caseNews: caseNews === "written" ? "sent" : caseNews,
  })
}

/** What a settle is known by. */
export function keyOfSettling({ row, at, reading, step, core }: Settling): string {
  const work = core === null ? "" : `${core.at} ${core.session} ${core.order}`
  return `${row}|${at}|${reading}|${step === null ? "" : numberOf(step)}|${work}`
}
