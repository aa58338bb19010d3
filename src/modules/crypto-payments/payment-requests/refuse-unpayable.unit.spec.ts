import { payerEmail } from "./refuse-unpayable"

const emailOf = (email: string): string => payerEmail({ email, order_id: null })

it.each([
  " guest@example.test\n",
  "\u200bguest@example.test\u200b",
  "\ufeff\u202aguest@example.test\u202c",
  "\u00a0\u3000guest@example.test\u2028",
])("an address is taken without what is invisible around it: %j", (email) => {
  expect(emailOf(email)).toBe("guest@example.test")
})

it.each(["a@b", "o'neil+shop@mail.example.test", "عائشة@مثال.إختبار"])("%j is an address", (email) => {
  expect(emailOf(email)).toBe(email)
})

it.each([
  "mailto:guest@example.test",
  "email: guest@example.test",
  "SMTP:guest@example.test",
  "guest@example.test.",
  "guest@example.test?subject=x:y",
  "Aisha <guest@example.test>",
])("%j is no address", (email) => {
  expect(() => emailOf(email)).toThrow(expect.objectContaining({ code: "email_invalid" }) as Error)
})

it("an address of invisible characters is none", () => {
  expect(() => emailOf("\u200b \u200b")).toThrow(expect.objectContaining({ code: "email_missing" }) as Error)
})

it("an address with 200,000 blanks inside is looked at once, not from each blank anew", () => {
  const startedAt = performance.now()
  expect(() => emailOf(`guest@example.test${" ".repeat(200_000)}x`)).toThrow("is not valid")
  // Milliseconds, also on a busy machine. From each blank anew it takes a minute or two.
  expect(performance.now() - startedAt).toBeLessThan(5000)
})
