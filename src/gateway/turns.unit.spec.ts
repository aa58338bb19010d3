import { Turns } from "./turns"

describe("Turns", () => {
  const later = (): { promise: Promise<void>; end: () => void } => {
    let end = (): void => undefined
    const promise = new Promise<void>((resolve) => (end = resolve))
    return { promise, end }
  }

  it("runs so many works at a time, in the order in which they came", async () => {
    const turns = new Turns(2)
    const begun: number[] = []
    const works = [later(), later(), later(), later()]
    const ran = works.map(({ promise }, index) =>
      turns.run(async () => {
        begun.push(index)
        await promise
        return index
      })
    )
    expect(begun).toEqual([0, 1])
    works[1]?.end()
    await ran[1]
    expect(begun).toEqual([0, 1, 2])
    works.forEach(({ end }) => {
      end()
    })
    expect(await Promise.all(ran)).toEqual([0, 1, 2, 3])
  })

  it("gives the turn on when a work fails", async () => {
    const turns = new Turns(1)
    const failed = turns.run(() => Promise.reject(new Error("no")))
    const next = turns.run(() => Promise.resolve("done"))
    await expect(failed).rejects.toThrow("no")
    await expect(next).resolves.toBe("done")
  })
})
