import { cryptoPaymentTexts, textsIn } from "./texts"

const keysOf = (value: object): string[] =>
  Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === "object" && inner !== null ? keysOf(inner).map((below) => `${key}.${below}`) : [key]
  )

describe("textsIn", () => {
  it.each([
    ["en", "ltr"],
    ["en-US", "ltr"],
    ["ar", "rtl"],
    ["ar-AE", "rtl"],
    ["AR", "rtl"],
    ["arn", "ltr"],
    [undefined, "ltr"],
  ])("%s is read %s", (language, dir) => {
    expect(textsIn(language).dir).toBe(dir)
  })

  it("takes single texts of the shop and keeps the others", () => {
    const texts = textsIn("en", { pay: "Pay in coins", errors: { unreachable: "Closed." } })
    expect([texts.pay, texts.tryAgain, texts.errors.unreachable]).toEqual([
      "Pay in coins",
      "Try again",
      "Closed.",
    ])
    expect(texts.errors.refused).toBeTruthy()
  })

  it("has each text in both languages", () => {
    expect(keysOf(cryptoPaymentTexts.ar)).toEqual(keysOf(cryptoPaymentTexts.en))
  })
})
