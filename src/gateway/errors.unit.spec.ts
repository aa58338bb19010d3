import { errors } from "undici"
import { GatewayMalformed, GatewayRejected, GatewayUnavailable, isRefusal, toGatewayError } from "./errors"

// A merchant's own code and log searches depend on names and codes.
it.each([
  [
    new GatewayUnavailable({ outcomeUnknown: true }),
    "GatewayUnavailable",
    "gateway_unavailable",
    "The gateway gave no answer. Try again later",
  ],
  [new GatewayRejected(404, null), "GatewayRejected", "gateway_rejected", "The gateway refused the request"],
  [
    new GatewayMalformed({ fields: ["data.amount", "data.note"] }),
    "GatewayMalformed",
    "gateway_malformed",
    "The gateway's data breaks its interface at: data.amount, data.note",
  ],
])("%s", (error, name, code, message) => {
  expect({ name: error.name, code: error.code, message: error.message }).toEqual({ name, code, message })
})

const unread = (httpStatus?: number): GatewayMalformed =>
  new GatewayMalformed({ fields: ["body"], ...(httpStatus === undefined ? {} : { httpStatus }) })

it.each([
  ["the gateway's own", new GatewayRejected(404, null), true],
  ["a 400 of something else", unread(400), true],
  ["a 499 of something else", unread(499), true],
  ["an answer that cannot be read", unread(399), false],
  ["a 500 of something else", unread(500), false],
  ["a broken answer", unread(), false],
  ["no answer", new GatewayUnavailable({ outcomeUnknown: true }), false],
  ["a call too many", new GatewayUnavailable({ httpStatus: 429, outcomeUnknown: false }), false],
])("%s is a refusal or not", (_, error, isRefused) => {
  expect(isRefusal(error)).toBe(isRefused)
})

it("takes a refusal for the gateway's own unless told", () => {
  expect(new GatewayRejected(404, null).isInEnvelope).toBe(true)
})

describe("GatewayMalformed", () => {
  it("names twenty fields at most", () => {
    const fields = Array.from({ length: 30 }, (_, index) => `data.${index}.amount`)
    const error = new GatewayMalformed({ fields })
    expect(error.fields).toEqual(fields.slice(0, 20))
    expect(error.message.split(",")).toHaveLength(20)
  })

  it("has no status, no message and no cause unless they came", () => {
    const error = new GatewayMalformed({ fields: ["body"] })
    expect([error.httpStatus, error.gatewayMessage, "cause" in error]).toEqual([null, null, false])
  })

  it("keeps those that came", () => {
    const cause = new Error("why")
    const error = new GatewayMalformed({ fields: ["body"], httpStatus: 200, gatewayMessage: "hm", cause })
    expect([error.httpStatus, error.gatewayMessage, error.cause]).toEqual([200, "hm", cause])
  })
})

describe("toGatewayError", () => {
  it("leaves an error of the closed list as it is", () => {
    const error = new GatewayRejected(403, "no")
    expect(toGatewayError(error)).toBe(error)
  })

  it.each([
    ["ECONNREFUSED", false],
    ["ENOTFOUND", false],
    ["UND_ERR_CONNECT_TIMEOUT", false],
    ["CERT_HAS_EXPIRED", false],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", false],
    ["ECONNRESET", true],
    ["UND_ERR_SOCKET", true],
    ["UND_ERR_HEADERS_TIMEOUT", true],
    ["EPROTO", true],
  ])("says whether a request that ended with %s may have arrived: %p", (code, outcomeUnknown) => {
    const cause = Object.assign(new Error("x"), { code })
    const error = toGatewayError(cause)
    expect(error).toBeInstanceOf(GatewayUnavailable)
    expect(error).toMatchObject({ outcomeUnknown, httpStatus: null, cause })
  })

  it("drops what a parser says, which quotes the bytes", () => {
    const error = toGatewayError(
      Object.assign(new errors.HTTPParserError("Invalid header"), { data: "SECRET" })
    )
    expect(error).toMatchObject({ outcomeUnknown: true })
  })

  it("calls an answer that is too large malformed", () => {
    const cause = new errors.ResponseExceededMaxSizeError()
    expect(toGatewayError(cause)).toBeInstanceOf(GatewayMalformed)
    expect(toGatewayError(cause)).toMatchObject({ fields: ["body"], httpStatus: null, cause })
  })
})
