import { drawPlan } from "./plan"
import { Random } from "../support/random"
import { drawTroubles, KINDS } from "./trouble"

const draw = (seed: number) => {
  const random = new Random(seed)
  return [drawTroubles(random, 50), Array.from({ length: 50 }, () => drawPlan(random))]
}

describe("Random", () => {
  it("draws the same run from the same seed", () => {
    expect(draw(7)).toEqual(draw(7))
  })

  it("draws another run from another seed", () => {
    expect(draw(7)).not.toEqual(draw(8))
  })

  it("draws every trouble at least once, in the order of the checkouts", () => {
    const troubles = drawTroubles(new Random(1), 28)
    expect(new Set(troubles.map(({ kind }) => kind))).toEqual(new Set(KINDS))
    expect(troubles.map(({ afterCheckout }) => afterCheckout)).toEqual(
      troubles.map(({ afterCheckout }) => afterCheckout).sort((one, other) => one - other)
    )
  })

  it("draws one trouble per two checkouts of a short run, each of another kind", () => {
    const kinds = drawTroubles(new Random(2), 10).map(({ kind }) => kind)
    expect([kinds.length, new Set(kinds).size]).toEqual([5, 5])
  })

  it("shuffles without losing or doubling any", () => {
    const letters = ["a", "b", "c", "d", "e", "f", "g"]
    const shuffled = new Random(5).shuffle(letters)
    expect([...shuffled].sort()).toEqual(letters)
    expect(shuffled).not.toEqual(letters)
  })

  it("draws whole numbers with both ends", () => {
    const random = new Random(3)
    const drawn = new Set(Array.from({ length: 200 }, () => random.whole(1, 3)))
    expect([...drawn].sort()).toEqual([1, 2, 3])
  })
})
