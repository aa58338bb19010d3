import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { requireJson } from "./require-json"

/** The status of the answer; 200 when the request goes on. */
function statusOf(type?: string): number {
  let answered = 200
  const res = {
    status: (status: number) => ({
      json: () => {
        answered = status
      },
    }),
  }
  const req = { headers: { "content-type": type } }
  const next = jest.fn()
  void requireJson(req as unknown as MedusaRequest, res as unknown as MedusaResponse, next)
  expect(next).toHaveBeenCalledTimes(answered === 200 ? 1 : 0)
  return answered
}

describe("requireJson", () => {
  it.each(["application/json", "Application/JSON; charset=utf-8", "application/json ;x"])(
    "lets through what is sent as %s",
    (type) => {
      expect(statusOf(type)).toBe(200)
    }
  )

  it.each([
    "application/x-www-form-urlencoded",
    "text/plain; application/json",
    "multipart/form-data",
    undefined,
  ])("refuses what is sent as %s, as a page of another site can send it without asking", (type) => {
    expect(statusOf(type)).toBe(415)
  })
})
