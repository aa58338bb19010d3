import ar from "./ar.json"
import en from "./en.json"

/** One text for each plural form of a language; `other` is required. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** Everything the pages say. `{…}` is filled in by the page. */
export type Words = Omit<typeof en, "faultKinds"> & {
  faultKinds: Partial<Record<string, string>>
  /** For the reasons and states of deliveries. English shows them as the control API names them. */
  deliveryWords?: Partial<Record<string, string>>
}
export type Language = "en" | "ar"

export const WORDS: Record<Language, Words> = { en, ar }

export const fill = (sentence: string, values: Record<string, string>): string =>
  sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

/** @param word a delivery's reason or state, as the control API names it */
export const deliveryWord = (word: string, { deliveryWords }: Words): string => {
  const english = word.replaceAll("_", " ")
  return deliveryWords?.[english] ?? english
}

/** The text of a number's plural form, with the number in it. Zero is a separate form if it has a text. */
export function plural(language: Language, count: number, forms: Plural): string {
  const form = count === 0 && forms.zero !== undefined ? "zero" : new Intl.PluralRules(language).select(count)
  return fill(forms[form] ?? forms.other, { count: String(count) })
}

/** `?lang=` decides; otherwise the browser's first language that the page has. */
export function chooseLanguage(asked: string | null, acceptLanguage: string | undefined): Language {
  if (asked === "en" || asked === "ar") {
    return asked
  }
  const ranked = (acceptLanguage ?? "")
    .split(",")
    .map((entry) => {
      const [tag = "", ...parameters] = entry.trim().toLowerCase().split(";")
      const weight = parameters
        .map((each) => /^\s*q=([\d.]+)$/.exec(each)?.[1])
        .find((each) => each !== undefined)
      return { language: tag.split("-")[0], weight: Number(weight ?? 1) }
    })
    .sort((a, b) => b.weight - a.weight)
  return ranked.find((each) => each.language === "ar" || each.language === "en")?.language === "ar"
    ? "ar"
    : "en"
}
