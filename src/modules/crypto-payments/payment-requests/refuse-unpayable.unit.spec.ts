import { payerEmail, refuseOutsideLimits } from "./refuse-unpayable"

const emailOf = (email: string): string => payerEmail({ email, order_id: null })

it.each([" guest@example.test\n", "\u00a0\u3000guest@example.test\u2028"])(
  "an address is taken without the blanks around it: %j",
  (email) => {
    expect(emailOf(email)).toBe("guest@example.test")
  }
)

it.each(["a@b", "o'neil+shop@mail.example.test", "عائشة@مثال.إختبار"])("%j is an address", (email) => {
  expect(emailOf(email)).toBe(email)
})

it.each([
  "mailto:guest@example.test",
  "email: guest@example.test",
  "SMTP:guest@example.test",
  "guest@example.test.",
  "guest@example.test,",
  "guest@example.test;",
  "(guest@example.test)",
  "(guest@example.test",
  "guest@example.test, other",
  "guest@example.test?subject=x:y",
  "Aisha <guest@example.test>",
])("%j is no address", (email) => {
  expect(() => emailOf(email)).toThrow(expect.objectContaining({ code: "email_invalid" }) as Error)
})

it("an address of blanks is none", () => {
  expect(() => emailOf(" \t ")).toThrow(expect.objectContaining({ code: "email_missing" }) as Error)
})

it("a text of more than 320 characters is no address", () => {
  expect(() => emailOf(`${"a".repeat(320)}@example.test`)).toThrow("is not valid")
})

describe("limits of the amount", () => {
  const LIMITS = { min_amount: { usd: "5.00" }, max_amount: { usd: "20.01", aed: "0.01" } }
  const refuse = (
    amount: string,
    currencySymbol: "AED" | "USD" = "USD",
    order_id: string | null = null
  ): void => {
    refuseOutsideLimits(LIMITS, { amount, currencySymbol }, { order_id })
  }

  it.each(["5.00", "5.01", "20.00", "20.01"])("allow %s", (amount) => {
    expect(() => {
      refuse(amount)
    }).not.toThrow()
  })

  it.each([
    [
      "4.99",
      "USD",
      "amount_below_minimum",
      "The smallest amount that this shop takes in crypto is 5.00 USD.",
    ],
    [
      "20.02",
      "USD",
      "amount_above_maximum",
      "The largest amount that this shop takes in crypto is 20.01 USD.",
    ],
    ["100.00", "USD", "amount_above_maximum", "20.01 USD. Choose another payment method."],
    ["0.02", "AED", "amount_above_maximum", "0.01 AED. Choose another payment method."],
  ] as const)("refuse %s %s with a code and the limit", (amount, currency, code, words) => {
    const message = expect.stringContaining(words) as string
    expect(() => {
      refuse(amount, currency)
    }).toThrow(expect.objectContaining({ type: "invalid_data", code, message }) as Error)
  })

  it("are none for an order, in a currency without them, and where none are set", () => {
    refuse("4.99", "USD", "order_1")
    refuse("0.01", "AED")
    const none = { min_amount: null, max_amount: null }
    refuseOutsideLimits(none, { amount: "0.01", currencySymbol: "USD" }, { order_id: null })
  })
})
