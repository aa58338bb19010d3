import { readOptions } from "./options"

const FLOWS = ["notification", "refund"]

describe("the options of the crash matrix", () => {
  it("are all points of all flows by default", () => {
    expect(readOptions(["--seed", "7"], FLOWS)).toEqual({
      seed: 7,
      flows: FLOWS,
      sample: undefined,
      together: 15,
      report: undefined,
    })
  })

  it("choose a flow, a sample and a report", () => {
    const args = ["--flow", "refund", "--sample", "4", "--report", "matrix.json", "--together", "1"]
    expect(readOptions([...args, "--seed", "7"], FLOWS)).toEqual({
      seed: 7,
      flows: ["refund"],
      sample: 4,
      together: 1,
      report: "matrix.json",
    })
  })

  it.each([
    ["a flow that there is not", ["--flow", "typo"], 'There is no flow "typo"'],
    ["a number that is none", ["--sample", "x"], "--sample must be a whole number"],
    ["an empty sample", ["--sample", "0"], "--sample must be a whole number"],
    [
      "more together than a process has connections for",
      ["--together", "21"],
      "--together must be a whole number",
    ],
    ["an option that there is not", ["--checkouts", "3"], "--checkouts"],
  ])("refuse %s, and show the usage", (_, args, message) => {
    expect(() => readOptions(args, FLOWS)).toThrow(message)
    expect(() => readOptions(args, FLOWS)).toThrow("There are: notification, refund")
  })
})
