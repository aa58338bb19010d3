import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { adminCryptoPaymentMiddlewares } from "./middlewares"

/** `GET /admin/crypto-payments/:id` for each handler that Medusa would find below this folder. */
function routesOnDisk(): string[] {
  return readdirSync(__dirname, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.ts")
    .flatMap((file) => {
      const place = `/${path.dirname(file)}`.replaceAll(/\[(\w+)\]/g, ":$1").replace(/^\/\.$/, "")
      const source = readFileSync(path.join(__dirname, file), "utf8")
      return [...source.matchAll(/^export (?:async function|const) ([A-Z]+)\b/gm)].map(
        ([, method]) => `${method ?? ""} /admin/crypto-payments${place}`
      )
    })
}

describe("the admin routes", () => {
  it("each ask for a permission, and no rule is left of a route that is gone", () => {
    const asked = adminCryptoPaymentMiddlewares
      .filter(({ policies }) => policies !== undefined)
      .flatMap(({ methods, matcher }) => (methods ?? []).map((method) => `${method} ${String(matcher)}`))
    expect(asked.sort()).toEqual(routesOnDisk().sort())
  })
})
