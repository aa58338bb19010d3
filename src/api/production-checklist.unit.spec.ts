import { readFileSync } from "node:fs"
import path from "node:path"

/** A location of nginx's: a prefix, or a regular expression with `~` or, without regard to case, `~*`. */
interface Location {
  mark: string
  pattern: string
  directives: string
}

function readLocations(): Location[] {
  const checklist = readFileSync(path.resolve(__dirname, "../../docs/operations.md"), "utf8")
  const [, config = ""] = /```nginx\n([\s\S]*?)```/.exec(checklist) ?? []
  return [...config.matchAll(/location (?:(~\*?) )?(\S+) \{ (.*) \}/g)].map(
    ([, mark = "", pattern = "", directives = ""]) => ({ mark, pattern, directives })
  )
}

/** The one that nginx uses: the first regular expression that matches, else the longest prefix. */
function locationOf(url: string): Location | undefined {
  const locations = readLocations()
  return (
    locations.find(
      ({ mark, pattern }) => mark !== "" && new RegExp(pattern, mark === "~*" ? "i" : "").test(url)
    ) ??
    locations
      .filter(({ mark, pattern }) => mark === "" && url.startsWith(pattern))
      .sort((a, b) => b.pattern.length - a.pattern.length)[0]
  )
}

describe("the reverse proxy of the production checklist", () => {
  it.each([
    ["/store/carts", "zone=shop"],
    ["/Store/carts", "zone=shop"],
    ["/STORE/crypto-payments/payses_1", "zone=shop"],
    ["/hooks/payment/crypto_default", "zone=hooks"],
    ["/HOOKS/payment/crypto_default", "zone=hooks"],
  ])("limits %s in every spelling that Medusa's router takes", (url, zone) => {
    expect(locationOf(url)?.directives).toContain(zone)
  })

  it("leaves the admin without a limit", () => {
    expect(locationOf("/admin/crypto-payments")?.directives).toBe(
      "client_max_body_size 10m; proxy_pass http://127.0.0.1:9000;"
    )
  })
})
