import fc from "fast-check"
import { begin, BEGINNINGS, type Beginning } from "./beginnings"
import { COMMANDS } from "./commands"
import type { Fault } from "./fault"
import { judge } from "./judge"
import { OrderModel } from "./model"
import { writePath, type ModelOptions } from "./options"
import { letItEnd } from "./quiet"
import { StoreOrder, type Stage } from "./store-order"
import { learn } from "./command"

/** A failure is made shorter in so many tries at most. */
const SHORTENING_TRIES = 60

/** A rule that was broken, with the shortest story that was found. */
export interface Failure {
  rule: string
  what: string
  story: string[]
  seed: number
  path: string
}

export interface Progress {
  sequences: number
  /** With those that made failures shorter. */
  played: number
  failures: Failure[]
}

interface Played {
  story: string[]
  faults: Fault[]
}

/**
 * Plays sequences until so many were played. A failure is made shorter, and then the search goes on for faults of other
 * rules, so that one fault does not hide the others.
 */
export class Exploration {
  readonly progress: Progress = { sequences: 0, played: 0, failures: [] }
  private readonly told = new Set<string>()
  private number = 0

  constructor(
    private readonly stage: Stage,
    private readonly options: ModelOptions,
    private readonly tell: (progress: Progress) => void
  ) {}

  async run(): Promise<void> {
    const { runs, seed, replay } = this.options
    for (let pass = 0; this.progress.sequences < runs; pass++) {
      const isOver = await this.search(seed + pass, runs - this.progress.sequences)
      if (isOver || replay !== undefined) {
        return
      }
    }
  }

  /** @returns whether no sequence failed in a way that was not told */
  private async search(seed: number, runs: number): Promise<boolean> {
    let rule: string | undefined
    let last: Played | undefined
    let tries = 0
    const { replay, commands } = this.options
    const property = fc.asyncProperty(
      fc.constantFrom(...BEGINNINGS),
      fc.commands(COMMANDS, {
        maxCommands: commands,
        ...(replay === undefined ? {} : { replayPath: replay.commands }),
      }),
      async (beginning, sequence) => {
        if (rule !== undefined && tries++ >= SHORTENING_TRIES) {
          return
        }
        const played = await this.play(beginning, sequence)
        const fault = played.faults.find((one) =>
          rule === undefined ? !this.told.has(one.rule) : one.rule === rule
        )
        if (rule === undefined) {
          this.progress.sequences++
        }
        this.progress.played++
        this.tell(this.progress)
        if (fault !== undefined) {
          rule = fault.rule
          last = played
          throw new Error(fault.rule)
        }
      }
    )
    const details = await fc.check(property, {
      seed,
      numRuns: runs,
      ...(replay === undefined ? {} : { path: replay.path }),
    })
    if (rule === undefined || last === undefined) {
      return true
    }
    this.told.add(rule)
    const replayPath = /replayPath="([^"]*)"/.exec(fc.stringify(details.counterexample?.[1]))?.[1] ?? ""
    this.progress.failures.push({
      rule,
      what: last.faults.find((fault) => fault.rule === rule)?.what ?? "",
      story: last.story,
      seed,
      path: writePath(details.counterexamplePath ?? "0", replayPath),
    })
    this.tell(this.progress)
    return false
  }

  private async play(
    beginning: Beginning,
    sequence: Iterable<fc.AsyncCommand<OrderModel, StoreOrder>>
  ): Promise<Played> {
    const order = new StoreOrder(this.stage, ++this.number)
    const model = new OrderModel()
    await begin(beginning, model, order)
    await fc.asyncModelRun(() => ({ model, real: order }), sequence)
    await letItEnd(order)
    await learn(model, order)
    return { story: order.story, faults: await judge(model, order) }
  }
}
