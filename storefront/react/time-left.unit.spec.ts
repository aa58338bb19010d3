import { shortTime, timeLeft } from "./time-left"

const NOW = Date.parse("2026-11-22T12:00:00.000Z")
const after = (seconds: number) => new Date(NOW + seconds * 1000)

describe("timeLeft", () => {
  it.each([
    [29 * 60 + 12, "29:12"],
    [59, "0:59"],
    [1, "0:01"],
    [3600, "1:00:00"],
    [86_400, "24:00:00"],
    [2 * 86_400, "2 days"],
    [86_401, "1 day"],
  ])("of %d seconds is told exactly up to a day, then in days", (seconds, text) => {
    expect(timeLeft(after(seconds), "en", NOW)).toBe(text)
  })

  it.each([
    [2 * 86_400, "يومان"],
    [3 * 86_400, "3 أيام"],
    [11 * 86_400, "11 يومًا"],
  ])("of %d seconds has the plural form of Arabic", (seconds, text) => {
    expect(timeLeft(after(seconds), "ar", NOW)).toBe(text)
  })

  it.each(["en_US", "", "no language"])("is told in a language that is written %j", (language) => {
    expect(timeLeft(after(2 * 86_400), language, NOW)).toBe("2 days")
    expect(shortTime(new Date(NOW), language, new Date(NOW))).toMatch(/^\d+:\d\d/)
  })

  it.each([0, -1, NaN])("is nothing after %d seconds", (seconds) => {
    expect(timeLeft(after(seconds), "en", NOW)).toBeUndefined()
  })
})

describe("shortTime", () => {
  const noon = new Date(2026, 10, 22, 12, 30)

  it("is the hour of today", () => {
    expect(shortTime(noon, "en-GB", new Date(2026, 10, 22, 9))).toBe("12:30")
  })

  it("names another day", () => {
    expect(shortTime(noon, "en-GB", new Date(2026, 10, 21, 23))).toBe("22 Nov 2026, 12:30")
  })
})
