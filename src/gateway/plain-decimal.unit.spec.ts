import { aboveZero } from "./plain-decimal"

it.each([
  ["0.00031265625000", "0.00031265625000"],
  ["1e-8", "0.00000001"],
  ["20", "20"],
  ["0.00000000000000", null],
  ["0e5", null],
  ["-1", null],
  ["", null],
  ["a third", null],
  ["0.1 BTC", null],
  [null, null],
])("what has arrived of %j is %j", (text, part) => {
  expect(aboveZero(text)).toBe(part)
})
