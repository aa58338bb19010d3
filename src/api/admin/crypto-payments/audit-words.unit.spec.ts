import { readFileSync } from "node:fs"
import ar from "../../../admin/i18n/ar.json"
import en from "../../../admin/i18n/en.json"
import { RULES } from "../../../modules/crypto-payments/checks/audits"

interface RuleWords {
  title: string
  meaning: string
  action: string
}

const names = RULES.map(({ name }) => name)

it.each([
  ["en", en.audit.rules],
  ["ar", ar.audit.rules],
])("every rule of the audit has a title, a meaning and an action in %s", (_language, words) => {
  const rules: Record<string, RuleWords> = words
  expect(Object.keys(rules).sort()).toEqual([...names].sort())
  const blank = Object.entries(rules).filter(([, { title, meaning, action }]) =>
    [title, meaning, action].some((text) => text.trim() === "")
  )
  expect(blank).toEqual([])
})

describe("docs/audit.md", () => {
  const text = readFileSync("docs/audit.md", "utf8")
  const sections = new Map(
    text
      .split(/^### /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf("\n")), section.replace(/\s+/g, " ")])
  )

  it("has a section for each rule", () => {
    expect([...sections.keys()].sort()).toEqual([...names].sort())
  })

  it("says of each rule what the admin's page says", () => {
    const rules: Record<string, RuleWords> = en.audit.rules
    const wrong = names.filter((name) => {
      const section = sections.get(name) ?? ""
      const { title, meaning, action } = rules[name] ?? { title: "", meaning: "", action: "" }
      return ![`_${title}_`, meaning, action].every((part) => section.includes(part))
    })
    expect(wrong).toEqual([])
  })
})
