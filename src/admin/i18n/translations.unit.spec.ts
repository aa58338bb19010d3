import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import ar from "./ar.json"
import en from "./en.json"

type Words = { [key: string]: string | Words }

const PLURAL = /_(zero|one|two|few|many|other)$/

function flatten(words: Words, path = ""): Map<string, string> {
  const flat = new Map<string, string>()
  for (const [key, value] of Object.entries(words)) {
    const name = path === "" ? key : `${path}.${key}`
    if (typeof value === "string") {
      flat.set(name, value)
    } else {
      flatten(value, name).forEach((text, inner) => flat.set(inner, text))
    }
  }
  return flat
}

const english = flatten(en)
const arabic = flatten(ar)
const meanings = (words: Map<string, string>) =>
  [...new Set([...words.keys()].map((key) => key.replace(PLURAL, "")))].sort()

describe("translations", () => {
  it("say the same things in both languages", () => {
    expect(meanings(arabic)).toEqual(meanings(english))
  })

  it.each([
    ["en", english],
    ["ar", arabic],
  ])("have every plural form of %s", (language, words) => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const counted = [...words.keys()].filter((key) => PLURAL.test(key)).map((key) => key.replace(PLURAL, ""))
    const missing = [...new Set(counted)].flatMap((key) =>
      forms.map((form) => `${key}_${form}`).filter((name) => !words.has(name))
    )
    expect(missing).toEqual([])
  })

  it("name the same values in both languages", () => {
    const placeholders = (text: string) =>
      [...text.matchAll(/\{\{?\w+\}?\}/g)]
        .map(([found]) => found)
        .sort()
        .join()
    const different = [...english].filter(
      ([key, text]) => !PLURAL.test(key) && placeholders(text) !== placeholders(arabic.get(key) ?? "")
    )
    expect(different).toEqual([])
  })

  it("hold every key that the pages name", () => {
    const sources = readdirSync(join(__dirname, ".."), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".spec.ts"))
      .map((name) => readFileSync(join(__dirname, "..", name), "utf8"))
    // Core's own words: `general.of` and its like.
    const named = sources.flatMap((text) =>
      [...text.matchAll(/\bt\(\s*"([\w.]+)"/g)].map(([, key = ""]) => key)
    )
    const known = new Set(meanings(english))
    expect(named.filter((key) => !key.startsWith("general.") && !known.has(key))).toEqual([])
  })
})
