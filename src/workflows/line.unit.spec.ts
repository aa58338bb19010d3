import { Line } from "./line"

describe("Line", () => {
  let begun: string[]
  let ends: Map<string, () => void>
  let line: Line<string>

  beforeEach(() => {
    begun = []
    ends = new Map()
    line = new Line({ atOnce: 2, longest: 3 }, async (id, what) => {
      begun.push(`${id} ${what}`)
      await new Promise<void>((resolve) => ends.set(id, resolve))
    })
  })

  const end = async (id: string): Promise<void> => {
    ends.get(id)?.()
    await new Promise(setImmediate)
  }

  it("begins at once while there is room, and no more than that", () => {
    for (const id of ["a", "b", "c"]) {
      line.add(id, "1")
    }
    expect(begun).toEqual(["a 1", "b 1"])
  })

  it("begins what came first when something ends", async () => {
    for (const id of ["a", "b", "c", "d"]) {
      line.add(id, "1")
    }
    await end("b")
    expect(begun).toEqual(["a 1", "b 1", "c 1"])
    await end("a")
    await end("c")
    expect(begun).toEqual(["a 1", "b 1", "c 1", "d 1"])
  })

  it("begins again after it had nothing to do, still no more than that", async () => {
    line.add("a", "1")
    await end("a")
    for (const id of ["b", "c", "d"]) {
      line.add(id, "1")
    }
    expect(begun).toEqual(["a 1", "b 1", "c 1"])
  })

  it("does once what is added twice while it waits", async () => {
    for (const id of ["a", "b", "c", "c"]) {
      line.add(id, "1")
    }
    await end("a")
    await end("c")
    await end("b")
    expect(begun).toEqual(["a 1", "b 1", "c 1"])
  })

  it("does again what is added while it runs: it may have come too late for that run", async () => {
    line.add("a", "1")
    line.add("a", "2")
    expect(begun).toEqual(["a 1", "a 2"])
  })

  it("leaves out what finds no place, and says so, but not what waits already", () => {
    const added = ["a", "b", "c", "d", "e", "f", "c"].map((id) => line.add(id, "1"))
    expect(added).toEqual([true, true, true, true, true, false, true])
  })
})
