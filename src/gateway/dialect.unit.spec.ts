import { isUnknownWord } from "./dialect"

describe("isUnknownWord", () => {
  it.each(["COMPLETED", "paid", "PAID ", "UNDERPAID", "NOT_PENDING", ""])("is %j", (word) => {
    expect(isUnknownWord(word)).toBe(true)
  })

  it.each(["PAID", "UNPAID", " unpaid", "PENDING", "EXPIRED", "canceled"])("is not %j", (word) => {
    expect(isUnknownWord(word)).toBe(false)
  })
})
