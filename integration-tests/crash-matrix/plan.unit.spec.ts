import { onBothSides, portions } from "./plan"

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

  it("has no portion larger than asked for, and loses nothing", () => {
    expect(portions(LETTERS, 3)).toEqual([["a", "b", "c"], ["d", "e", "f"], ["g"]])
  })
})
