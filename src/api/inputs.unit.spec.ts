import type { z } from "@medusajs/framework/zod"
import * as settings from "../modules/crypto-payments/settings/settings-form"
import * as admin from "./admin/crypto-payments/validators"

type Shaped = z.ZodObject<Record<string, z.ZodType>>

/** NUL, and each half of a surrogate pair, in a text and in an address. */
const REFUSED = ["a\0b", "a\ud83d", "\ude00b"].flatMap((text) => [text, `https://shop.example/${text}`])

const schemas = [admin, settings].flatMap((module) =>
  Object.entries(module as Record<string, unknown>).filter(
    (entry): entry is [string, Shaped] => "shape" in Object(entry[1])
  )
)
const fields = schemas.flatMap(([name, { shape }]) =>
  Object.entries(shape).map(([field, schema]): [string, z.ZodType] => [`${name}.${field}`, schema])
)

it("looks at the queries and bodies of every route", () => {
  expect(schemas.map(([name]) => name)).toEqual(
    expect.arrayContaining(["AdminListCryptoPayments", "AdminSaveCryptoSettings"])
  )
})

it.each(fields)("%s takes no text that Postgres refuses", (_, schema) => {
  for (const text of REFUSED) {
    expect([text, schema.safeParse(text).success, schema.safeParse([text]).success]).toEqual([
      text,
      false,
      false,
    ])
  }
})

it.each([
  { type: "bearer", token: "a\ud83d" },
  { type: "header", name: "x-api-key\0", value: "a" },
  { type: "header", name: "x-api-key", value: "a\0b" },
])("AdminSaveCryptoSettings.auth takes no text that Postgres refuses: %j", (auth) => {
  expect(settings.AdminCheckCryptoSettings.safeParse({ auth }).success).toBe(false)
})
