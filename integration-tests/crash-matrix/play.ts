import { untilAtRest } from "../support/rest"
import type { Checkout, Flow, Scene } from "./flow"
import type { Product, Shop } from "./shop"
import type { HoldPoint, StoreProcess } from "./store-process"

/** One flow that is played once, with the point at which its process dies. */
export type Play = Awaited<ReturnType<typeof preparePlay>>

let count = 0

/** A new payer at the flow's beginning. */
export async function preparePlay(
  shop: Shop,
  at: StoreProcess,
  { flow, point, product }: { flow: Flow; point: HoldPoint; product: Product }
) {
  await at.begin()
  const { rows } = await shop.knex.raw<{ rows: [{ now: Date }] }>("SELECT now()")
  const checkout: Checkout = {
    email: `payer-${++count}@example.test`,
    product,
    begunAt: rows[0].now,
    // Each point is tried with both, on one side each.
    returns: (point.number + (point.side === "before" ? 0 : 1)) % 2 === 0 ? "at_once" : "later",
    cartId: "",
    collectionId: "",
    link: "",
    paid: [],
  }
  const play = {
    flow,
    point,
    checkout,
    /** How many of the flow's steps are done with. */
    taken: 0,
    /** Whether the process died over the step that comes next. */
    isInterrupted: false,
    /** Where the process was held; null when the flow ended before it came to the point. */
    heldAt: null as string | null,
    /** The points it passed, in order. */
    passed: [] as string[],
    /** What went wrong before anything was judged. */
    troubles: [] as string[],
  }
  await flow.prepare(sceneOf(shop, at, play))
  return play
}

/** Plays the flow until it is held at its point or has come to its end. */
export async function playUntilHeld(shop: Shop, at: StoreProcess, play: Play) {
  await at.arm(play.point)
  const ending = new AbortController()
  const undisturbed = takeAll(play, sceneOf(shop, at, play, ending.signal)).then(
    () => null,
    (error: unknown) => {
      if (!ending.signal.aborted) {
        play.troubles.push(error instanceof Error ? error.message : String(error))
      }
      return null
    }
  )
  play.heldAt = await Promise.race([at.held(), undisturbed])
  ending.abort()
  play.isInterrupted = play.heldAt !== null && play.taken < play.flow.steps.length
  play.passed = await at.disarm()
}

async function takeAll(play: Play, scene: Scene): Promise<void> {
  for (const step of play.flow.steps) {
    const refused = await step.take(scene).catch(String)
    scene.signal?.throwIfAborted()
    if (refused !== undefined) {
      throw new Error(`${step.name}: ${refused}`)
    }
    play.taken++
  }
  await untilAtRest(scene.shop, scene.checkout.paid, scene.checkout, scene.signal)
}

export function sceneOf(
  shop: Shop,
  at: StoreProcess,
  { checkout }: { checkout: Checkout },
  signal?: AbortSignal
): Scene {
  return {
    shop,
    at,
    checkout,
    shopper: shop.shopper(at, checkout.product),
    admin: shop.admin(at),
    ...(signal === undefined ? {} : { signal }),
  }
}
