import { inParallel } from "../support/in-parallel"
import { bePatient } from "./be-patient"
import { playCheckout, type Stage } from "./checkout"
import { offerOrderFirst } from "./order-first"
import { drawPlan, type CheckoutPlan } from "./plan"
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
  let breaking: Promise<void> = Promise.resolve()
  const played = await inParallel(checkouts, SHOPPERS_AT_ONCE, async (index) => {
    for (const trouble of troubles.filter(({ afterCheckout }) => afterCheckout === index)) {
      breaking = breaking.then(async () => {
        tell(`after ${index} checkouts: ${trouble.kind}`)
        await strike(stage.cluster, trouble)
      })
      // Heard at the end; a trouble that fails ends the run there.
      breaking.catch(() => undefined)
    }
    return await playCheckout(stage, plans[index] as CheckoutPlan, `shopper-${index}@example.test`)
  })
  await breaking
  return { played, troubles }
}
