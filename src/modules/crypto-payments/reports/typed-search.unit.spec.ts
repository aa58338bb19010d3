import { amountIn, orderNumberIn } from "./typed-search"

it.each([
  ["17", "17"],
  ["#17", "17"],
  ["order 17", "17"],
  ["١٧", "17"],
  ["#۱۷", "17"],
  ["طلب ١٧", "17"],
  ["20.01", ""],
  ["1,234", ""],
  ["١٬٢٣٤", ""],
  ["$17", ""],
  ["17a", ""],
])("%s names the order with the number %j", (typed, number) => {
  expect(orderNumberIn(typed)).toBe(number)
})

it.each([
  ["20.01", "20.01", ""],
  ["20,01", "20.01", ""],
  ["20.01 USD", "20.01", "usd"],
  ["$20.01", "20.01", "usd"],
  ["20,01 $", "20.01", "usd"],
  ["20 aed", "20.0", "aed"],
  ["AED 20", "20.0", "aed"],
  ["1,234.50", "1234.50", ""],
  ["$1,234", "1234.0", "usd"],
  ["1,234,50", "1234.50", ""],
  ["٢٠٫٠١", "20.01", ""],
  ["۱٬۲۳۴٫۵ AED", "1234.5", "aed"],
  ["17", "", ""],
  ["1,234", "1234.0", ""],
  ["١٬٢٣٤", "1234.0", ""],
  ["USD", "", ""],
  ["20.012", "", ""],
  ["desk-4711", "", ""],
])("%s names the amount %j in %j", (typed, amount, currency) => {
  expect(amountIn(typed)).toEqual({ amount, currency })
})
