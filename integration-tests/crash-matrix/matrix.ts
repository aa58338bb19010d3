import { readFacts } from "../support/facts"
import { isFatal, judge } from "../support/judge"
import { Random } from "../support/random"
import type { Flow } from "./flow"
import { judgePlay } from "./judge"
import { playUntilHeld, preparePlay, type Play } from "./play"
import { recover } from "./recover"
import { describeFailure, type RunResult } from "./report"
import { untilNone } from "../support/wait-until"
import { runAudit } from "../support/audit"
import { say, tell } from "../support/command"
import type { OrderPlacement, Shop } from "./shop"
import type { HoldPoint, StoreProcess } from "./store-process"

/**
 * How many runs are held in one process before it is killed. A worker settles five asked-for rows at once: with four of
 * them held, one place is left to whatever the fifth run has to prepare.
 */
export const TOGETHER = 5
const SIDES = ["before", "after"] as const
const NOWHERE: HoldPoint = { number: 0, side: "before" }

interface PlannedRun {
  flow: Flow
  point: HoldPoint
}

/** What is known so far. */
export interface Progress {
  /** The names of the points that each flow passes when nobody is killed. */
  recorded: Map<string, string[]>
  results: RunResult[]
  processesKilled: number
}

/**
 * Plays each flow once undisturbed, which gives its points, and then once for each chosen point, where the process dies.
 * A flow that has no share in a sample is not played.
 *
 * Several runs share a process: one after the other is held at its point, and does nothing from then on. Then the process
 * is killed with SIGKILL, and the next one, which boots meanwhile, finds what is left of all of them.
 */
export class CrashMatrix {
  private readonly random: Random
  private readonly known = new Set<string>()
  readonly progress: Progress = { recorded: new Map(), results: [], processesKilled: 0 }

  constructor(
    private readonly shop: Shop,
    seed: number,
    /** So many points of all flows together, each on one side; infinitely many for all points, on both. */
    private readonly sample: number
  ) {
    this.random = new Random(seed)
  }

  async run(flows: Flow[]): Promise<void> {
    // Of a sample, each flow has equally many points, and those that come first one more.
    const shares = this.random
      .shuffle(flows)
      .map((flow, index) => ({ flow, points: Math.ceil((this.sample - index) / flows.length) }))
      .filter(({ points }) => points > 0)
    for (const placement of ["after_payment", "before_payment"] as const) {
      const ofPlacement = shares.filter(({ flow }) => (flow.placement ?? "after_payment") === placement)
      if (ofPlacement.length > 0) {
        await this.runPlacement(placement, ofPlacement)
      }
    }
  }

  private async runPlacement(placement: OrderPlacement, shares: { flow: Flow; points: number }[]) {
    let living = await this.shop.boot(placement)
    await this.record(
      living,
      shares.map(({ flow }) => flow)
    )
    const chosen = shares.flatMap(({ flow, points }): PlannedRun[] => {
      const passed = this.progress.recorded.get(flow.name) ?? []
      const all = passed.flatMap((_, index) =>
        SIDES.map((side) => ({ flow, point: { number: index + 1, side } }))
      )
      return this.random.shuffle(all).slice(0, points)
    })
    for (let runs = this.random.shuffle(chosen); runs.length > 0; runs = runs.slice(TOGETHER)) {
      const next = this.shop.boot(placement)
      // Heard below; until then a failure must not end this process.
      next.catch(() => undefined)
      living = await this.runPortion(runs.slice(0, TOGETHER), living, next)
    }
    await living.kill()
  }

  /** Plays each flow with nobody killed, which gives its points. */
  private async record(at: StoreProcess, flows: Flow[]): Promise<void> {
    const undisturbed = flows.map((flow) => ({ flow, point: NOWHERE }))
    const plays = await this.playAll(at, undisturbed)
    for (const { flow, passed } of plays) {
      this.progress.recorded.set(flow.name, passed)
      tell(`${flow.name} has ${passed.length} points`)
    }
    await recover(this.shop, at, plays, [])
    await this.judgeAll(at, plays)
  }

  /** @returns the process that has taken over */
  private async runPortion(runs: PlannedRun[], doomed: StoreProcess, next: Promise<StoreProcess>) {
    const plays = await this.playAll(doomed, runs)
    tell("played")
    await this.killSurely(doomed)
    const dead = await this.shop
      .knex("crypto_payment_request")
      .whereRaw("lease_until > now()")
      .whereNotNull("lease_id")
      .pluck<string[]>("lease_id")
    const heir = await next
    tell("killed")
    await recover(this.shop, heir, plays, dead)
    await this.judgeAll(heir, plays)
    return heir
  }

  /** One after the other, so that nothing of a run that waits for its turn is done during another one. */
  private async playAll(at: StoreProcess, runs: PlannedRun[]): Promise<Play[]> {
    this.shop.takeHeard()
    const plays: Play[] = []
    for (const [index, run] of runs.entries()) {
      const product = this.shop.products[index]
      if (product === undefined) {
        throw new Error("there are not as many products as runs")
      }
      const play = await preparePlay(this.shop, at, { ...run, product })
      await playUntilHeld(this.shop, at, play)
      plays.push(play)
    }
    return plays
  }

  /** Until Postgres has undone what the process had not committed. */
  private async killSurely(process: StoreProcess): Promise<void> {
    await process.kill()
    this.progress.processesKilled++
    const connections = this.shop
      .knex("pg_stat_activity")
      .where({ application_name: process.applicationName })
    await untilNone(async () => await connections.clone().pluck("pid"))
  }

  private async judgeAll(at: StoreProcess, plays: Play[]): Promise<void> {
    const heard = this.shop.takeHeard()
    for (const play of plays) {
      const faults = await judgePlay(this.shop, play, heard)
      this.add({ flow: play.flow.name, ...play.point, heldAt: play.heldAt, faults })
    }
    const names = plays.map(({ flow }) => flow.name).join(" or ")
    this.add({ flow: names, ...NOWHERE, heldAt: null, faults: await this.findNew(at) })
    tell(`${this.progress.results.length} runs`)
  }

  private add(result: RunResult): void {
    this.progress.results.push(result)
    if (result.faults.length > 0) {
      say(`FAILED ${describeFailure(result)}`)
    }
  }

  /**
   * Whatever is wrong in the store, by the judge that the chaos run has, and by the plugin's self-audit. Each is told
   * once: what one run has left is found again after every later one.
   */
  private async findNew(at: StoreProcess): Promise<string[]> {
    const { findings, incomplete } = await runAudit({ asAdmin: this.shop.admin(at) })
    if (incomplete.length > 0) {
      throw new Error(`the self-audit was too slow: ${incomplete.join(", ")}`)
    }
    const facts = await readFacts(this.shop)
    facts.done.registered.push(...facts.refunds)
    const found = [
      ...judge(facts)
        .filter(isFatal)
        .map(({ verdict, id, why }) => `${verdict} ${id}: ${why}`),
      ...findings.map(
        ({ rule, message, request_ids, order_ids }) =>
          `self-audit ${rule}: ${message} (${[...request_ids, ...order_ids].join(", ")})`
      ),
    ]
    const fresh = found.filter((text) => !this.known.has(text))
    fresh.forEach((text) => this.known.add(text))
    return fresh
  }
}
