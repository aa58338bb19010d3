import { latinDigits } from "./latin-digits"

it.each([
  ["٢٠٫٠١", "20.01"],
  ["۱٬۲۳۴٫۵", "1234.5"],
  ["20.01", "20.01"],
  ["five", "five"],
])("reads %s as %s", (typed, latin) => {
  expect(latinDigits(typed)).toBe(latin)
})
