import { Random } from "../support/random"
import { dealOut, draw, interleave, onBothSides, portions } from "./plan"

const LETTERS = ["a", "b", "c", "d", "e", "f", "g"]

describe("the plan of a crash matrix", () => {
  it("tries each point before and after it", () => {
    expect(onBothSides(2)).toEqual([
      { number: 1, side: "before" },
      { number: 1, side: "after" },
      { number: 2, side: "before" },
      { number: 2, side: "after" },
    ])
  })

  it("deals out exactly as many as there are, and equally", () => {
    const dealt = [...dealOut(10, ["x", "y", "z"], new Random(7)).values()]
    expect(dealt.sort()).toEqual([3, 3, 4])
  })

  it("draws no one twice, and the same ones for the same seed", () => {
    const drawn = draw(LETTERS, 4, new Random(5))
    expect(new Set(drawn).size).toBe(4)
    expect(draw(LETTERS, 4, new Random(5))).toEqual(drawn)
  })

  it("draws all when there are not as many as asked for", () => {
    expect(draw(LETTERS, 100, new Random(5))).toEqual(LETTERS)
  })

  it("puts one of each flow next to the other", () => {
    expect(interleave([["a1", "a2", "a3"], ["b1"], ["c1", "c2"]])).toEqual([
      "a1",
      "b1",
      "c1",
      "a2",
      "c2",
      "a3",
    ])
  })

  it("has no portion larger than asked for, and loses nothing", () => {
    expect(portions(LETTERS, 3)).toEqual([["a", "b", "c"], ["d", "e", "f"], ["g"]])
  })
})
