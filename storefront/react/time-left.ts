const DAY_S = 86_400

/**
 * The time until a moment: "29:12", "3:05:00", and above a day "2 days", in the plural forms of the language.
 *
 * @param language as "en" or "ar-AE"
 * @returns undefined once the time is over
 */
export function timeLeft(until: Date, language: string, now = Date.now()): string | undefined {
  const seconds = Math.ceil((until.getTime() - now) / 1000)
  if (!(seconds > 0)) {
    return undefined
  }
  if (seconds > DAY_S) {
    const days = Math.floor(seconds / DAY_S)
    return new Intl.NumberFormat(latin(language), { style: "unit", unit: "day", unitDisplay: "long" }).format(
      days
    )
  }
  const hours = Math.floor(seconds / 3600)
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"))
  return (hours > 0 ? [hours, ...parts] : [Number(parts[0]), parts[1]]).join(":")
}

/** The hour of a time, with the day if that is not today. */
export function shortTime(at: Date, language: string, now = new Date()): string {
  const isToday = at.toDateString() === now.toDateString()
  return new Intl.DateTimeFormat(latin(language), {
    ...(isToday ? {} : { dateStyle: "medium" }),
    timeStyle: "short",
  }).format(at)
}

/** Latin digits in every language, as for the amounts in most shops. */
export function latin(language: string): string {
  const locale = `${language.replace(/_/g, "-")}-u-nu-latn`
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? "en"
  } catch {
    // A page with an unknown language has English texts too.
    return "en"
  }
}
