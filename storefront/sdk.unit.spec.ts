import Medusa from "@medusajs/js-sdk"
import { httpStatusOf, type StorefrontSdk } from "./sdk"

describe("StorefrontSdk", () => {
  it("is what the js-sdk is", () => {
    const sdk: StorefrontSdk = new Medusa({ baseUrl: "https://store.example" })
    expect(typeof sdk.client.fetch).toBe("function")
  })
})

describe("httpStatusOf", () => {
  it.each([
    ["an answer", { status: 404 }, 404],
    ["a broken connection", new TypeError("fetch failed"), undefined],
    ["nothing", undefined, undefined],
  ])("knows the status of %s", (_name, thrown, status) => {
    expect(httpStatusOf(thrown)).toBe(status)
  })
})
