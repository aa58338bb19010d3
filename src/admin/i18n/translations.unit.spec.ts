import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { AUTH_TYPES } from "../../gateway/auth-types"
import { AUDIT_RULE_NAMES } from "../../modules/crypto-payments/checks/audits"
import { authParts } from "../../modules/crypto-payments/settings/names"
import { SETTINGS } from "../../modules/crypto-payments/settings/setting"
import ar from "./ar.json"
import en from "./en.json"
import texts from "./index"

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

/** The fields of all types; the headers of one's own and of a signature have words of their own. */
const authNames = Object.keys(AUTH_TYPES)
  .flatMap(authParts)
  .filter(({ kind }) => kind !== "secret_headers" && kind !== "header_names")
  .map(({ name }) => name)

const english = flatten(en)
const arabic = flatten(ar)
const pages = sourcesIn(join(__dirname, ".."))
const plugin = sourcesIn(join(__dirname, "../.."))
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

  it("show a count as {{number}}, which has commas", () => {
    expect([...english, ...arabic].filter(([, text]) => text.includes("{{count}}"))).toEqual([])
  })

  it("keep amounts and their currencies together in Arabic", () => {
    const loose = [...arabic].filter(([, text]) =>
      /(?<![\u2066\d.])(\{\{amount\}\}|\b\d[\d.]* USD)/.test(text)
    )
    expect(loose).toEqual([])
  })

  it("say in the list's filter what its rows say of a state", () => {
    const said = { superseded: "notPaidInTime", closed: "linkFailed", captured: "partlyRefunded" }
    const different = [english, arabic].flatMap((texts) =>
      Object.entries(said).filter(([state, ofRow]) => {
        const words = [texts.get(`state.${state}`), texts.get(`list.${ofRow}`)]
        return texts.get(`list.states.${state}`) !== words.join(" / ")
      })
    )
    expect(different).toEqual([])
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

  // Core's own words: `general.of` and its like.
  const isOurs = (key: string) => !key.startsWith("general.")

  it("are in Arabic what the dashboard's menus are given of them", () => {
    const labels = flatten(texts.ar.cryptoPayments)
    expect([...labels].filter(([key, text]) => arabic.get(key) !== text)).toEqual([])
    const inMenus = [...pages.matchAll(/\blabel: "([\w.]+)"/g)].map(([, key = ""]) => key)
    expect(inMenus.length).toBeGreaterThan(4)
    expect(inMenus.filter((key) => !labels.has(key))).toEqual([])
  })

  // «الرقمية» (digital) also covers e-money and the digital dirham, which the gateway does not take.
  it("call cryptocurrencies by one name in the admin, the storefront kit, the pay page and the sandbox", () => {
    const kit = ["storefront/react/texts.ts", "examples/storefront/src/texts.ts"]
    const others = [...kit, "src/pay-page/texts.ts", "sandbox/page/ar.json"]
    const texts = [...arabic.values(), ...others.map((name) => readFileSync(name, "utf8"))]
    expect(texts.filter((text) => /العملات المشفرة/.test(text)).length).toBeGreaterThan(1)
    expect(texts.filter((text) => /العملات (الرقمية|المعماة|الافتراضية)/.test(text))).toEqual([])
  })

  // «دفعة مشفرة» is an encrypted payment.
  it("call no payment encrypted in Arabic", () => {
    expect([...arabic].filter(([, text]) => /(دفعة|دفعات|مدفوعات) مشفرة/.test(text))).toEqual([])
  })

  // «حالة» is the word for a status.
  it("have a word of its own in Arabic for a case", () => {
    const ofCases = [...english].filter(([, text]) => /\bcases?\b(?!})/i.test(text)).map(([key]) => key)
    expect(ofCases.length).toBeGreaterThan(20)
    expect(ofCases.filter((key) => !/مسأل|مسائل/.test(arabic.get(key) ?? ""))).toEqual([])
  })

  it("hold every key that the pages name", () => {
    const named = [...pages.matchAll(/\bt\(\s*"([\w.]+)"/g)].map(([, key = ""]) => key)
    const known = new Set(meanings(english))
    expect(named.filter((key) => isOurs(key) && !known.has(key))).toEqual([])
  })

  it("have words for each type of authentication and each of its fields", () => {
    const types = Object.keys(AUTH_TYPES).map((type) => `settings.choices.auth_type.${type}`)
    const fields = authNames.map((name) => `settings.fields.${name}`)
    expect([...types, ...fields].filter((key) => !english.has(key))).toEqual([])
  })

  it("hold no key that no page names", () => {
    const quoted = new Set([...pages.matchAll(/"([\w.]+)"/g)].map(([, text = ""]) => text))
    // `state.${state}` names those of its keys whose last part is one of the plugin's words.
    const patterns = [...pages.matchAll(/`(\w+(?:\.\w+)*\.\$\{[^`]*)`/g)].map(
      ([, template = ""]) =>
        new RegExp(
          `^${template
            .replaceAll(".", "\\.")
            .split(/\$\{[^}]*\}/)
            .join("([\\w.]+)")}$`
        )
    )
    const words = new Set([...plugin.matchAll(/"([\w.]+)"/g)].map(([, text = ""]) => text))
    for (const name of [...authNames, ...AUDIT_RULE_NAMES, ...Object.keys(SETTINGS)]) {
      words.add(name)
    }
    const isNamed = (key: string) =>
      quoted.has(key) ||
      patterns.some((pattern) =>
        pattern
          .exec(key)
          ?.slice(1)
          .every((word) => words.has(word))
      )
    expect(meanings(english).filter((key) => !isNamed(key))).toEqual([])
  })
})

/** The text of all sources of a folder. */
function sourcesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".spec.ts"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n")
}
