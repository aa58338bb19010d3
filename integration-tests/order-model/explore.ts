import fc from "fast-check"
import { begin, BEGINNINGS, type Beginning } from "./beginnings"
import { learn, type OrderCommand } from "./command"
import { COMMANDS } from "./commands"
import { switchProvider } from "./commands-ending"
import type { Fault } from "./fault"
import { judge } from "./judge"
import { OrderModel } from "./model"
import { writePath, type ModelOptions } from "./options"
import { letItEnd } from "./quiet"
import { StoreOrder, type Stage } from "./store-order"

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
  /** How often each command was run. */
  commands: Record<string, number>
  failures: Failure[]
}

type Command = fc.AsyncCommand<OrderModel, StoreOrder>

interface Played {
  beginning: Beginning
  commands: OrderCommand[]
  story: string[]
  faults: Fault[]
}

/**
 * Plays sequences until so many were played. A failure is made shorter, and then the search goes on for faults of other
 * rules, so that one fault does not hide the others.
 */
export class Exploration {
  readonly progress: Progress = { sequences: 0, played: 0, commands: {}, failures: [] }
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
      const hasFailed = await this.search(seed + pass, runs - this.progress.sequences)
      if (!hasFailed || replay !== undefined) {
        return
      }
    }
  }

  /** @returns whether a rule was broken that was not told before */
  private async search(seed: number, runs: number): Promise<boolean> {
    const { replay, commands } = this.options
    let rule: string | undefined
    let shortest: Played | undefined
    let tries = 0
    const property = fc.asyncProperty(
      fc.constantFrom(...BEGINNINGS),
      fc.commands(COMMANDS, {
        maxCommands: commands,
        // Else fast-check draws ten at most.
        size: "max",
        ...(replay === undefined ? {} : { replayPath: replay.commands }),
      }),
      async (beginning, sequence) => {
        if (rule === undefined) {
          this.progress.sequences++
        } else if (tries++ >= SHORTENING_TRIES) {
          return
        }
        const played = await this.play(beginning, sequence)
        rule ??= played.faults.find((fault) => !this.told.has(fault.rule))?.rule
        if (rule !== undefined && breaks(played, rule)) {
          shortest = played
          throw new Error(rule)
        }
      }
    )
    const details = await fc.check(property, {
      seed,
      numRuns: runs,
      ...(replay === undefined ? {} : { path: replay.path }),
    })
    if (rule === undefined || shortest === undefined) {
      if (details.failed) {
        throw details.errorInstance
      }
      return false
    }
    const replayPath = /replayPath="([^"]*)"/.exec(fc.stringify(details.counterexample?.[1]))?.[1] ?? ""
    const path = writePath(details.counterexamplePath ?? "0", replayPath)
    this.report(rule, await this.leaveOut(shortest, rule), { seed, path })
    return true
  }

  /** fast-check shortens from the front. Of what is left, each command that is not needed is left out. */
  private async leaveOut(shortest: Played, rule: string): Promise<Played> {
    for (const command of shortest.commands) {
      const fewer = shortest.commands.filter((one) => one !== command)
      const played = await this.play(shortest.beginning, fewer)
      if (breaks(played, rule)) {
        return await this.leaveOut(played, rule)
      }
    }
    return shortest
  }

  private async play(beginning: Beginning, sequence: Iterable<Command>): Promise<Played> {
    const order = new StoreOrder(this.stage, ++this.number)
    const model = new OrderModel()
    this.progress.played++
    try {
      await begin(beginning, model, order)
      try {
        await fc.asyncModelRun(() => ({ model, real: order }), sequence)
        await letItEnd(order)
        await learn(model, order)
        order.faults.push(...(await judge(model, order)))
      } catch (error) {
        order.fault("it comes to an end", error instanceof Error ? error.message : String(error))
      }
      const { commands, story, faults } = order
      for (const { kind } of commands) {
        this.progress.commands[kind] = (this.progress.commands[kind] ?? 0) + 1
      }
      return { beginning, commands, story, faults }
    } finally {
      await leaveStore(model, order)
      this.tell(this.progress)
    }
  }

  private report(rule: string, { story, faults }: Played, where: { seed: number; path: string }): void {
    this.told.add(rule)
    const what = faults.find((fault) => fault.rule === rule)?.what ?? ""
    this.progress.failures.push({ rule, what, story, ...where })
    this.tell(this.progress)
  }
}

function breaks({ faults }: Played, rule: string): boolean {
  return faults.some((fault) => fault.rule === rule)
}

/** The next story finds the store as this one did. */
async function leaveStore(model: OrderModel, order: StoreOrder): Promise<void> {
  if (!model.isProviderOffered) {
    await switchProvider(model, order)
  }
}
