import { readBooks } from "./books"
import { sceneOf, type Play } from "./play"
import { cancelOrderLeft } from "./steps"
import { untilIdle, whatIsLeft } from "../support/rest"
import type { Shop } from "./shop"
import type { StoreProcess } from "./store-process"
import { letMinutesPass } from "../support/time"

/** How many minutes pass before each run of the schedule, until nothing is left to do. Then there has to be a case. */
const ROUNDS_MINUTES = [3, 3, 3, 3, 3, 11, 61, 61]
/** After that nothing may change any more. */
const LAST_LOOK_MINUTES = 61
/** Who does something while the store recovers, each until rest: those who ask again at once, later, and afterwards. */
const ACTS = ["at_once", "later", "afterwards"] as const
type Act = (typeof ACTS)[number]

/**
 * Lets a new process of the store bring everything to rest that a dead one has left, while people go on with what they
 * were at. Only the clock is moved: a payment request that the plugin does not watch any more stays as it is.
 *
 * @param dead leases that the dead process has left
 */
export async function recover(shop: Shop, at: StoreProcess, plays: Play[], dead: string[]): Promise<void> {
  let left = dead
  for (const act of ACTS) {
    await playAct(act, left)
    left = []
  }
  await lookOnceMore()

  async function playAct(act: Act, leases: string[]): Promise<void> {
    let refusals: (string | undefined)[] = []
    const goAll = async (): Promise<void> => {
      refusals = await Promise.all(plays.map((play) => goOn(play, act).catch(String)))
    }
    await goAll()
    for (const [round, minutes] of ROUNDS_MINUTES.entries()) {
      await letPass(minutes, round === 0 ? leases : [])
      await Promise.all(
        plays.map(async (play, index) => {
          await cancelOrderLeft(sceneOf(shop, at, play), refusals[index])
        })
      )
      await goAll()
      const left = await Promise.all(
        plays.map(async ({ checkout }) => await whatIsLeft(shop, checkout.paid, checkout))
      )
      if ([...refusals, ...left.flat()].every((refused) => refused === undefined)) {
        return
      }
    }
    for (const [index, play] of plays.entries()) {
      if (refusals[index] !== undefined) {
        play.troubles.push(`never got through: ${refusals[index]}`)
      }
    }
  }

  /**
   * Goes on with what was going on when the process died: the interrupted step, by who asks again, and those after it.
   *
   * @returns what the store answered instead; undefined when there is nothing left to do
   */
  async function goOn(play: Play, act: Act): Promise<string | undefined> {
    const { flow, checkout } = play
    const steps = act === "afterwards" ? [...flow.steps, ...(flow.afterwards ?? [])] : flow.steps
    const waits = checkout.returns === "later" && act === "at_once"
    for (let step = steps[play.taken]; step !== undefined; step = steps[play.taken]) {
      const { isRepeated } = step
      if (play.isInterrupted && isRepeated === "always" && waits) {
        return undefined
      }
      const asksAgain = isRepeated === "always" || isRepeated === checkout.returns
      if (!play.isInterrupted || asksAgain) {
        const refused = await step.take(sceneOf(shop, at, play))
        if (refused !== undefined) {
          return `${step.name}: ${refused}`
        }
      }
      play.taken++
      play.isInterrupted = false
    }
    return undefined
  }

  async function letPass(minutes: number, leases: string[]): Promise<void> {
    const checkouts = plays.map(({ checkout }) => checkout)
    const cartIds = checkouts.map(({ cartId }) => cartId)
    await untilIdle(shop, cartIds, leases)
    await letMinutesPass(shop, minutes, checkouts)
    await at.runSchedule()
    await untilIdle(shop, cartIds)
  }

  /** What is at rest stays as it is. */
  async function lookOnceMore(): Promise<void> {
    const read = async () =>
      await Promise.all(plays.map(async ({ checkout }) => await readBooks(shop.knex, checkout)))
    const before = await read()
    await letPass(LAST_LOOK_MINUTES, [])
    const after = await read()
    for (const [index, play] of plays.entries()) {
      const [was, is] = [before, after].map((books) => JSON.stringify(books[index]))
      if (was !== is) {
        play.troubles.push(`it changed after it had come to rest, from ${was} to ${is}`)
      }
    }
  }
}
