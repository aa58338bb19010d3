import { canonical } from "./canonical"
import { alwaysBroken, brokenAtRest } from "./invariants"
import { Column } from "./column"
import { isCalm } from "./schedule"
import { choices, ownMoves } from "./steps"
import type { State } from "./state"

export interface Bounds {
  /** States to explore at most. The model is not explored to its end then, and what was reached comes to rest all the same. */
  states: number
  seconds: number
}

export interface Exploration {
  states: number
  /** Steps of the longest story. */
  depth: number
  seconds: number
  /** Whether there was nothing left to explore. */
  isComplete: boolean
  /** In how many ways the model comes to rest when it is left to itself. */
  rests: number
  /** What has become of the paid links then: a state of the life cycle, or the reason of a case. */
  ends: ReadonlySet<string>
  broken: { promise: string; story: string[] } | null
}

const START = -1
const UNKNOWN = -2
const CALM = 1
const AT_REST = 2

/**
 * Explores every state that can be reached, breadth first, so that the first story that breaks an invariant is a shortest
 * one.
 *
 * From each state the model is also left to itself: what happens by itself goes on, in one fixed order, until it comes to
 * rest, or to a circle of states through which it goes for ever, such as the monthly check of a link nobody pays. Each such
 * circle has to come by a state at rest, and in it nothing may be left that an invariant forbids in the end.
 */
export function explore(start: State, { states: mostStates, seconds: mostSeconds }: Bounds): Exploration {
  const startedAt = performance.now()
  const seconds = (): number => (performance.now() - startedAt) / 1000
  const graph = new Graph()
  const done = (promise: string | null, at: number, isComplete: boolean): Exploration => ({
    states: graph.size,
    depth: graph.depth,
    seconds: seconds(),
    isComplete,
    rests: graph.restingPlaces,
    ends: graph.ends,
    broken: promise === null ? null : { promise, story: graph.story(at) },
  })

  graph.add(start, START, "")
  let at = 0
  for (; at < graph.size && graph.size < mostStates; at++) {
    if (at % 1024 === 0 && seconds() > mostSeconds) {
      break
    }
    const broken = graph.expand(at, true)
    if (broken !== null) {
      return done(broken.promise, broken.at, false)
    }
  }
  const isComplete = at === graph.size
  for (; at < graph.size; at++) {
    const broken = graph.expand(at, false)
    if (broken !== null) {
      return done(broken.promise, broken.at, false)
    }
  }
  const restless = graph.findRestless()
  return restless === null ? done(null, START, isComplete) : done(restless.promise, restless.at, isComplete)
}

interface Broken {
  promise: string
  at: number
}

/** The states that were reached, by number, and how. */
class Graph {
  private readonly numbers = new Map<string, number>()
  /** Those whose steps are not known yet. */
  private readonly waiting: (State | undefined)[] = []
  private readonly parents = new Column(Int32Array)
  private readonly says = new Column(Uint16Array)
  private readonly swaps = new Column(Uint8Array)
  private readonly depths = new Column(Uint16Array)
  /** The state that follows when nobody disturbs. */
  private readonly following = new Column(Int32Array)
  /** `CALM`: nobody is at work; `AT_REST`: and nothing happens by itself but that time passes. */
  private readonly rests = new Column(Uint8Array)
  /** What is left in such states that may not be left in the end. */
  private readonly brokenRests = new Map<number, string>()
  private readonly sentences: string[] = []
  private readonly sentenceNumbers = new Map<string, number>()
  private readonly endsAt = new Map<number, string[]>()
  readonly ends = new Set<string>()
  restingPlaces = 0
  depth = 0

  get size(): number {
    return this.waiting.length
  }

  /** @returns the number of the state, which may be known already */
  add(raw: State, parent: number, says: string): { number: number; isNew: boolean } {
    const { state, key, isSwapped } = canonical(raw)
    const known = this.numbers.get(key)
    if (known !== undefined) {
      return { number: known, isNew: false }
    }
    const number = this.waiting.length
    this.numbers.set(key, number)
    this.waiting.push(state)
    this.parents.push(parent)
    this.says.push(this.sentence(says))
    this.swaps.push(isSwapped ? 1 : 0)
    this.depths.push(parent === START ? 0 : this.depths.at(parent) + 1)
    this.depth = Math.max(this.depth, this.depths.at(number))
    this.following.push(UNKNOWN)
    this.rests.push(0)
    return { number, isNew: true }
  }

  /**
   * Takes the steps of a state.
   *
   * @param isWhole false for only the one that happens when nobody disturbs
   */
  expand(at: number, isWhole: boolean): Broken | null {
    const state = this.waiting[at] as State
    this.waiting[at] = undefined
    let following = at
    let isTime = true
    const own = ownMoves(state)
    for (const move of isWhole ? [...own, ...choices(state)] : own) {
      const isFollowing = following === at && move.isOutside !== true
      if (!isFollowing && !isWhole) {
        continue
      }
      const { number, isNew } = this.add(move.to, at, move.says)
      if (isFollowing && number !== at) {
        following = number
        isTime = move.isTime === true
      }
      const promise = isNew ? alwaysBroken(move.to) : null
      if (promise !== null) {
        return { promise, at: number }
      }
    }
    this.following.set(at, following)
    if (isTime || isCalm(state)) {
      if (isTime) {
        this.endsAt.set(at, endsOf(state))
      }
      this.rests.set(at, isTime ? AT_REST : CALM)
      const promise = brokenAtRest(state)
      if (promise !== null && following === at) {
        return { promise, at }
      }
      if (promise !== null) {
        this.brokenRests.set(at, promise)
      }
    }
    return null
  }

  /** The first state from which the model, left to itself, never rests, or rests with something left that may not be. */
  findRestless(): Broken | null {
    const ON_THE_WAY = 1
    const SEEN = 2
    const marks = new Uint8Array(this.size)
    let first: Broken | null = null
    for (let begin = 0; begin < this.size; begin++) {
      const way: number[] = []
      let at = begin
      while (at >= 0 && marks[at] === 0) {
        marks[at] = ON_THE_WAY
        way.push(at)
        at = this.following.at(at)
      }
      if (at >= 0 && marks[at] === ON_THE_WAY) {
        const broken = this.judgeCircle(way.slice(way.indexOf(at)))
        first = broken !== null && (first === null || broken.at < first.at) ? broken : first
      }
      for (const passed of way) {
        marks[passed] = SEEN
      }
    }
    return first
  }

  private judgeCircle(circle: readonly number[]): Broken | null {
    const resting = circle.filter((at) => this.rests.at(at) === AT_REST)
    const calm = resting.length > 0 ? resting : circle.filter((at) => this.rests.at(at) === CALM)
    const broken = calm.filter((at) => this.brokenRests.has(at))
    // Where it never rests, only what is wrong all the time is more than a moment.
    if (resting.length === 0 && (broken.length === 0 || broken.length < calm.length)) {
      return { promise: "rest: it never comes to rest", at: Math.min(...circle) }
    }
    this.restingPlaces++
    for (const end of resting.flatMap((at) => this.endsAt.get(at) ?? [])) {
      this.ends.add(end)
    }
    const at = Math.min(...broken)
    const promise = this.brokenRests.get(at)
    return promise === undefined ? null : { promise, at }
  }

  /** How a state was reached, in sentences. */
  story(at: number): string[] {
    const way: number[] = []
    for (let state = at; this.parents.at(state) !== START; state = this.parents.at(state)) {
      way.unshift(state)
    }
    let names = ["A", "B"]
    return way.map((state) => {
      const [first, second] = names as [string, string]
      const says = this.sentences[this.says.at(state)] as string
      names = this.swaps.at(state) === 1 ? [second, first] : names
      return says.replaceAll("{0}", first).replaceAll("{1}", second)
    })
  }

  private sentence(says: string): number {
    let number = this.sentenceNumbers.get(says)
    if (number === undefined) {
      number = this.sentences.push(says) - 1
      this.sentenceNumbers.set(says, number)
    }
    return number
  }
}

const endsOf = ({ rows }: State): string[] =>
  rows.flatMap(({ paid, reason, state }) => (paid === null ? [] : [reason ?? state]))
