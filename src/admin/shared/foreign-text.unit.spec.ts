import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"

const ADMIN = path.resolve(__dirname, "..")
const pages = readdirSync(ADMIN, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".tsx")
)

/**
 * What would let a text of the gateway's or of a payer's run in a merchant's session, or send the merchant somewhere.
 */
const DANGEROUS =
  /dangerouslySetInnerHTML|\binnerHTML\b|\bhref=|\bsrc=|window\.open|location\.(assign|replace|href)/

describe("the admin's pages", () => {
  it("write no HTML of their own and open no address they were given: React shows texts as texts", () => {
    expect(pages.length).toBeGreaterThan(15)
    expect(pages.filter((file) => DANGEROUS.test(readFileSync(path.join(ADMIN, file), "utf8")))).toEqual([])
  })
})
