describe("a Node that undici does not support", () => {
  const { versions } = process
  afterEach(() => Object.defineProperty(process, "versions", { value: versions }))

  it("is named with what is needed, before undici is loaded", () => {
    Object.defineProperty(process, "versions", { value: { ...versions, node: "18.20.8" } })
    const load = (): unknown => jest.requireActual("./index")
    expect(() => jest.isolateModules(load)).toThrow(
      "medusa-payment-crypto needs Node 20.19 or newer, and of version 22 at least 22.12. This is Node 18.20.8."
    )
  })
})
