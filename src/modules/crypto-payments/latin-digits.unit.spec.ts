import { latinDigits } from "./latin-digits"

it.each([
  ["٢٠٫٠١", "20.01"],
  ["۱٬۲۳۴٫۵", "1234.5"],
  ["20.01", "20.01"],
  ["five", "five"],
  ["1,234.50", "1234.50"],
  ["1,234,567", "1234567"],
  ["1,50", "1,50"],
  ["١،٥٠", "1,50"],
  ["0,125", "0,125"],
  ["1,2345", "1,2345"],
])("reads %s as %s", (typed, latin) => {
  expect(latinDigits(typed)).toBe(latin)
})
