import { isDeepStrictEqual } from "node:util"
import { readBooks } from "./books"
import type { Step } from "./flow"
import { sceneOf, type Play } from "./play"
import { untilIdle, whatIsLeft } from "./rest"
import type { Shop } from "./shop"
import type { StoreProcess } from "./store-process"
import { letMinutesPass } from "./time"

/** How many minutes pass before each run of the schedule, until nothing is left to do. Then there has to be a case. */
const ROUNDS_MINUTES = [3, 3, 3, 11, 61, 61]
/** After that nothing may change any more. */
const LAST_LOOK_MINUTES = 61

/** Who does something while the store recovers: in three acts, each until rest. */
interface Act {
  /** @returns what the store answered instead; undefined when there is nothing left to do */
  go: (play: Play) => Promise<string | undefined>
}

/**
 * Lets a new process of the store bring everything to rest that a dead one has left, while people go on with what they
 * were at. Only the clock is moved: a payment request that the plugin does not watch any more stays as it is.
 */
export async function recover(shop: Shop, at: StoreProcess, plays: Play[], dead: string[]): Promise<void> {
  const acts: Act[] = [
    { go: async (play) => await goOn(shop, at, play, "at_once") },
    { go: async (play) => await goOn(shop, at, play, "later") },
    { go: async (play) => await goAfterwards(shop, at, play) },
  ]
  let left = dead
  for (const act of acts) {
    await playAct(shop, at, plays, act, left)
    left = []
  }
  await lookOnceMore(shop, at, plays)
}

async function playAct(shop: Shop, at: StoreProcess, plays: Play[], act: Act, dead: string[]): Promise<void> {
  const refusals = new Map<Play, string>()
  const goAll = async (): Promise<void> => {
    await Promise.all(
      plays.map(async (play) => {
        const refused = await tryTo(async () => await act.go(play))
        if (refused === undefined) {
          refusals.delete(play)
        } else {
          refusals.set(play, refused)
        }
      })
    )
  }
  await goAll()
  for (const [round, minutes] of ROUNDS_MINUTES.entries()) {
    await letPass(shop, at, plays, minutes, round === 0 ? dead : [])
    await goAll()
    if (refusals.size === 0 && (await areAtRest(shop, plays))) {
      return
    }
  }
  for (const [play, refused] of refusals) {
    play.troubles.push(`never got through: ${refused}`)
  }
}

/** What was going on when the process died goes on: the step that was interrupted, by who asks again, and those after it. */
async function goOn(
  shop: Shop,
  at: StoreProcess,
  play: Play,
  act: "at_once" | "later"
): Promise<string | undefined> {
  const { flow, checkout } = play
  for (let step = flow.steps[play.taken]; step !== undefined; step = flow.steps[play.taken]) {
    if (
      play.isInterrupted &&
      checkout.returns === "later" &&
      step.isRepeated === "always" &&
      act === "at_once"
    ) {
      return undefined
    }
    const refused =
      play.isInterrupted && !asksAgain(step, play) ? undefined : await takeStep(shop, at, play, step)
    if (refused !== undefined) {
      return refused
    }
    play.taken++
    play.isInterrupted = false
  }
  return undefined
}

function asksAgain({ isRepeated }: Step, { checkout }: Play): boolean {
  return isRepeated === "always" || (isRepeated === "at_once" && checkout.returns === "at_once")
}

async function goAfterwards(shop: Shop, at: StoreProcess, play: Play): Promise<string | undefined> {
  const { steps, afterwards } = play.flow
  for (let step = next(); step !== undefined; step = next()) {
    const refused = await takeStep(shop, at, play, step)
    if (refused !== undefined) {
      return refused
    }
    play.taken++
  }
  return undefined

  function next(): Step | undefined {
    return afterwards[play.taken - steps.length]
  }
}

async function takeStep(shop: Shop, at: StoreProcess, play: Play, step: Step): Promise<string | undefined> {
  const refused = await step.take(sceneOf(shop, at, play))
  return refused === undefined ? undefined : `${step.name}: ${refused}`
}

async function tryTo(go: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await go()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function letPass(
  shop: Shop,
  at: StoreProcess,
  plays: Play[],
  minutes: number,
  dead: string[]
): Promise<void> {
  const checkouts = plays.map(({ checkout }) => checkout)
  const cartIds = checkouts.map(({ cartId }) => cartId)
  await untilIdle(shop, cartIds, dead)
  await letMinutesPass(shop, checkouts, minutes)
  await at.runSchedule()
  await untilIdle(shop, cartIds)
}

async function areAtRest(shop: Shop, plays: Play[]): Promise<boolean> {
  const left = await Promise.all(plays.map(async ({ checkout }) => await whatIsLeft(shop, checkout)))
  return left.every(({ length }) => length === 0)
}

/** What is at rest stays as it is. */
async function lookOnceMore(shop: Shop, at: StoreProcess, plays: Play[]): Promise<void> {
  const read = async (): Promise<unknown[]> =>
    await Promise.all(plays.map(async ({ checkout }) => await readBooks(shop.knex, checkout)))
  const before = await read()
  await letPass(shop, at, plays, LAST_LOOK_MINUTES, [])
  const after = await read()
  for (const [index, play] of plays.entries()) {
    if (!isDeepStrictEqual(before[index], after[index])) {
      play.troubles.push(
        `it changed after it had come to rest, from ${JSON.stringify(before[index])} to ${JSON.stringify(after[index])}`
      )
    }
  }
}
