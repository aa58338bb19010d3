import { readOptions, writePath } from "./options"

describe("the options of the order model", () => {
  it("are 200 sequences of at most 30 commands by default", () => {
    expect(readOptions(["--seed", "7"])).toEqual({
      seed: 7,
      runs: 200,
      commands: 30,
      replay: undefined,
      report: undefined,
    })
  })

  it("choose how many, how long and a report", () => {
    expect(
      readOptions(["--runs", "20", "--seed", "1", "--commands", "12", "--report", "model.json"])
    ).toMatchObject({ runs: 20, seed: 1, commands: 12, report: "model.json" })
  })

  it("play a failure again by the path it was printed with", () => {
    const path = writePath("12:0:1", "AAB:C")
    expect(readOptions(["--seed", "1", "--path", path]).replay).toEqual({ path: "12:0:1", commands: "AAB:C" })
  })

  it.each([
    ["a number that is none", ["--runs", "x"], "--runs must be a whole number"],
    ["no number", ["--runs", ""], "--runs must be a whole number"],
    ["no sequence at all", ["--runs", "0"], "--runs must be a whole number"],
    ["a path without its seed", ["--path", "1@A"], "--path needs the --seed"],
    ["a path that was never printed", ["--seed", "1", "--path", "1:2"], "--path must be as it was printed"],
    ["an option that there is not", ["--checkouts", "3"], "--checkouts"],
  ])("refuse %s, and show the usage", (_, args, message) => {
    expect(() => readOptions(args)).toThrow(message)
    expect(() => readOptions(args)).toThrow("npm run test:order-model")
  })
})
