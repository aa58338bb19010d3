import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"

const API = path.resolve(__dirname, "../../src/api")

/** One of our HTTP routes, such as `POST /admin/crypto-payments/:id/settle`. */
export interface Route {
  method: string
  path: string
}

/** Every route that Medusa finds in our folders, read from them, so that a new one is in the table by itself. */
export const readRouteTable = (area: "admin" | "store" | "crypto-payments"): Route[] =>
  readdirSync(path.join(API, area), { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.ts")
    .flatMap((file) => {
      const place = path.join("/", area, path.dirname(file)).replaceAll(/\[(\w+)\]/g, ":$1")
      const source = readFileSync(path.join(API, area, file), "utf8")
      return [...source.matchAll(/^export (?:async function|const) ([A-Z]+)\b/gm)].map(([, method]) => ({
        method: method ?? "",
        path: place,
      }))
    })

/** The path with its parameters filled in. */
export const fillIn = (route: Route, parameters: Record<string, string>): string =>
  route.path.replaceAll(/:(\w+)/g, (_, name: string) => parameters[name] ?? `${name}_1`)
