import { engines } from "../../package.json"

describe("a Node that `engines` does not allow", () => {
  const { versions } = process
  afterEach(() => Object.defineProperty(process, "versions", { value: versions }))

  const loadWith = (node: string, file: string) => {
    Object.defineProperty(process, "versions", { value: { ...versions, node } })
    const load = (): unknown => jest.requireActual(file)
    return () => jest.isolateModules(load)
  }

  it("is named with what is needed, before undici is loaded", () => {
    expect(loadWith("18.20.8", "./index")).toThrow(
      "medusa-payment-crypto needs Node 20 from 20.19 on, or 22.12 or newer. This is Node 18.20.8."
    )
  })

  it("is refused, and every other is accepted", () => {
    expect(engines.node).toBe("^20.19.0 || >=22.12.0")
    for (const node of ["18.20.8", "20.18.3", "21.7.3", "22.11.0"]) {
      expect(loadWith(node, "./require-node")).toThrow(`This is Node ${node}.`)
    }
    for (const node of ["20.19.0", "22.12.0", "23.0.0", "24.0.0"]) {
      expect(loadWith(node, "./require-node")).not.toThrow()
    }
  })
})
