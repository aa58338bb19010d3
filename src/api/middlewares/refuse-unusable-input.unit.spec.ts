import {
  validateAndTransformBody,
  validateAndTransformQuery,
  type MedusaNextFunction,
  type MedusaRequest,
  type MedusaResponse,
} from "@medusajs/framework/http"
import { z } from "@medusajs/framework/zod"
import { guard, refuseUnusableBody, refuseUnusableQueryNames } from "./refuse-unusable-input"

type Middleware = (req: MedusaRequest, res: MedusaResponse, next: MedusaNextFunction) => unknown

const schema = z.strictObject({ limit: z.string().optional() })
const coreQuery = validateAndTransformQuery(schema, { defaults: [], isList: false })
const coreBody = validateAndTransformBody(schema)
const ourBody = guard(({ body }) => {
  refuseUnusableBody(body)
})

/** What a middleware ends with: what it throws or gives to `next`. */
async function endOf(middleware: unknown, parsed: { query?: object; body?: object }): Promise<unknown> {
  const req = { query: {}, body: {}, allowed: [], ...parsed } as unknown as MedusaRequest
  let given: unknown
  try {
    await (middleware as Middleware)(req, null as unknown as MedusaResponse, (error?: unknown) => {
      given = error
    })
  } catch (error) {
    return error
  }
  return given
}

const UNUSABLE = { type: "invalid_data", code: "unusable_name" }

describe("a name that no field has", () => {
  it.each<[string, object]>([
    ["has more than one dot", { "a.b.c": "1" }],
    ["is a dotted path that begins in the address", { "../../etc/passwd[": "x" }],
    ["is a method of objects", { limit: { toString: "1", valueOf: "1" } }],
  ])("is refused in a query when it %s, where core's validator fails in another way", async (_, query) => {
    expect(await endOf(coreQuery, { query })).not.toMatchObject({ type: "invalid_data" })
    expect(await endOf(refuseUnusableQueryNames, { query })).toMatchObject(UNUSABLE)
  })

  it("is refused behind a dot", async () => {
    expect(await endOf(refuseUnusableQueryNames, { query: { "limit.toString": "1" } })).toMatchObject(
      UNUSABLE
    )
  })

  it("is refused in a body, where core's validator fails in another way", async () => {
    const body = { limit: { toString: 1, valueOf: 1 } }
    expect(await endOf(coreBody, { body })).not.toMatchObject({ type: "invalid_data" })
    expect(await endOf(ourBody, { body })).toMatchObject(UNUSABLE)
  })

  it("is found however deep a body is that is taken", async () => {
    let body: object = { constructor: 1 }
    for (let level = 1; level < 20; level++) {
      body = { a: body }
    }
    expect(await endOf(ourBody, { body })).toMatchObject(UNUSABLE)
  })

  it("is none of what our routes read: one dot, brackets, and dots in a body", async () => {
    const query = { "created_at.$gte": "2026-01-01", created_at: { $lt: "2027-01-01" }, state: ["open"] }
    expect(await endOf(refuseUnusableQueryNames, { query })).toBeUndefined()
    expect(await endOf(ourBody, { body: { "a.b.c": 1 } })).toBeUndefined()
  })
})
