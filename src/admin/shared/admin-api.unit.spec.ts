import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { setI18n } from "react-i18next"
import ar from "../i18n/ar.json"
import { AdminApiError, apiMessage } from "./admin-api"

const ADMIN = path.resolve(__dirname, "..")

describe("apiMessage", () => {
  const problems: Record<string, string> = ar.problems
  const t = (key: string, values?: { defaultValue?: string }) =>
    problems[key.replace("problems.", "")] ?? String(values?.defaultValue)
  beforeAll(() => setI18n({ getFixedT: () => t } as never))
  const words = (status: number, body: object) => apiMessage(new AdminApiError(status, body))

  it("says in the reader's language what has a code, and leaves the API's own words out", () => {
    const body = {
      type: "not_allowed",
      code: "refund_too_large",
      message: "Only 1.00 USD is left to refund.",
    }
    expect(words(400, body)).toBe(ar.problems.refund_too_large)
  })

  it("begins in the reader's language where a code has no words, and lets the API say the rest", () => {
    const body = { type: "invalid_data", code: "other", message: "Give `period`." }
    expect(words(400, body)).toBe(`${ar.problems.notAccepted} \u2068Give \`period\`.\u2069`)
    const gateway = { type: "unexpected_state", message: "Nothing was charged." }
    expect(words(500, gateway)).toBe(`${ar.problems.broken} \u2068Nothing was charged.\u2069`)
  })

  it.each([
    [401, ar.problems.signedOut],
    [403, ar.problems.forbidden],
    [404, ar.problems.notFound],
    [409, ar.problems.busy],
    [500, ar.problems.broken],
    [502, ar.problems.broken],
  ])("has words of its own for every %s, and repeats no text of a fault inside the store", (status, said) => {
    expect(words(status, { type: "unknown_error", message: "select * from secret" })).toBe(said)
    expect(words(status, {})).toBe(said)
  })

  it("names the permission that a role lacks, as core does", () => {
    const message = "Insufficient permissions. Required policies: order:read, payment:read"
    expect(words(403, { type: "forbidden", message })).toBe(ar.problems.needs)
  })

  it("says that the store does not answer when nothing came back", () => {
    expect(apiMessage(new TypeError("Failed to fetch"))).toBe(ar.problems.noAnswer)
  })
})

describe("the admin's pages", () => {
  it("show no error's own English text: it goes through apiMessage", () => {
    const sources = readdirSync(ADMIN, { recursive: true, encoding: "utf8" }).filter(
      (file) => /\.tsx?$/.test(file) && !file.endsWith(".spec.ts")
    )
    expect(sources.length).toBeGreaterThan(25)
    const shows = (file: string) => /\.message\b/.test(readFileSync(path.join(ADMIN, file), "utf8"))
    expect(sources.filter(shows)).toEqual(["shared/admin-api.ts"])
  })
})
