import { inParallel } from "../support/in-parallel"
import { bePatient } from "./be-patient"
import { playCheckout, type Stage } from "./checkout"
import { offerOrderFirst } from "./order-first"
import { drawPlan } from "./plan"
import type { Random } from "../support/random"
import { drawTroubles, strike } from "./trouble"

const SHOPPERS_AT_ONCE = 8

export type ChaosRun = Awaited<ReturnType<typeof runChaos>>

/** Plays all checkouts while things break. Everything is drawn before the first one starts. */
export async function runChaos(
  stage: Stage,
  random: Random,
  checkouts: number,
  tell: (what: string) => void
) {
  bePatient(stage.cluster.knex)
  await offerOrderFirst(stage.cluster)
  const troubles = drawTroubles(random, checkouts)
  const plans = Array.from({ length: checkouts }, () => drawPlan(random))
  const left = [...troubles]
  let breaking: Promise<void> = Promise.resolve()
  const played = await inParallel(checkouts, SHOPPERS_AT_ONCE, async (index) => {
    for (let next = left[0]; next !== undefined && next.afterCheckout <= index; next = left[0]) {
      const trouble = next
      left.shift()
      breaking = breaking.then(async () => {
        tell(`after ${index} checkouts: ${trouble.kind}`)
        await strike(stage.cluster, trouble)
      })
      // Heard at the end; a trouble that fails ends the run there.
      breaking.catch(() => undefined)
    }
    const plan = plans[index]
    if (plan === undefined) {
      throw new Error(`checkout ${index} has no plan`)
    }
    return await playCheckout(stage, plan, `shopper-${index}@example.test`)
  })
  await breaking
  return { played, troubles }
}
