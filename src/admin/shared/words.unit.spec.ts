import { monthName, relativeTime } from "./words"

const NOW = Date.parse("2026-11-22T12:00:00.000Z")
const after = (seconds: number) => new Date(NOW + seconds * 1000)

describe("relativeTime", () => {
  it.each([
    [-120, "منذ دقيقتين"],
    [-60, "منذ دقيقة واحدة"],
    [-5 * 60, "منذ 5 دقائق"],
    [-11 * 60, "منذ 11 دقيقة"],
    [10, "بعد 10 ثوانٍ"],
    [-2 * 3600, "منذ ساعتين"],
    [-3 * 86_400, "منذ 3 أيام"],
    [0, "الآن"],
  ])("says %d seconds in Arabic, in the language's plural forms", (seconds, words) => {
    expect(relativeTime(after(seconds), "ar", NOW)).toBe(words)
  })

  it.each([
    [-1, "1 second ago"],
    [-119, "1 minute ago"],
    [-120, "2 minutes ago"],
    [10, "in 10 seconds"],
    [-23 * 3600, "23 hours ago"],
    [-45 * 86_400, "1 month ago"],
    [-800 * 86_400, "2 years ago"],
  ])("says %d seconds in English", (seconds, words) => {
    expect(relativeTime(after(seconds), "en", NOW)).toBe(words)
  })

  it("takes what the API sends", () => {
    expect(relativeTime("2026-11-22T11:00:00.000Z", "ptBR", NOW)).toBe("há 1 hora")
  })
})

it.each([
  ["en", "November 2026"],
  ["enGB", "November 2026"],
  ["zhCN", "2026年11月"],
  ["fa", "نوامبر 2026"],
  ["ar", "نوفمبر 2026"],
])("names a month in %s: %s", (language, name) => {
  expect(monthName("2026-11-01", language)).toBe(name)
})
