import { readOptions } from "./options"

const FLOWS = ["notification", "refund"]

describe("the options of the crash matrix", () => {
  it("are all points of all flows by default", () => {
    expect(readOptions(["--seed", "7"], FLOWS)).toEqual({
      seed: 7,
      flows: FLOWS,
      choice: { kind: "every", step: 1 },
      hasStatements: false,
      together: 15,
      report: undefined,
    })
  })

  it("choose a flow, a distance and a report", () => {
    const args = [
      "--flow",
      "refund",
      "--every",
      "4",
      "--report",
      "matrix.json",
      "--statements",
      "--together",
      "1",
    ]
    expect(readOptions([...args, "--seed", "7"], FLOWS)).toEqual({
      seed: 7,
      flows: ["refund"],
      choice: { kind: "every", step: 4 },
      hasStatements: true,
      together: 1,
      report: "matrix.json",
    })
  })

  it.each([
    ["a flow that there is not", ["--flow", "typo"], 'There is no flow "typo"'],
    ["a number that is none", ["--every", "x"], "--every must be a whole number"],
    ["no distance at all", ["--every", "0"], "--every must be a whole number"],
    [
      "more together than a process has connections for",
      ["--together", "21"],
      "--together must be a whole number",
    ],
    ["both ways to choose", ["--every", "2", "--sample", "3"], "exclude each other"],
    ["an option that there is not", ["--checkouts", "3"], "--checkouts"],
  ])("refuse %s, and show the usage", (_, args, message) => {
    expect(() => readOptions(args, FLOWS)).toThrow(message)
    expect(() => readOptions(args, FLOWS)).toThrow("There are: notification, refund")
  })
})
