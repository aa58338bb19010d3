import { ApprovalHashInvalid } from "./approval-hash-invalid"
import { GatewayMalformed } from "./gateway-malformed"
import { GatewayRejected } from "./gateway-rejected"
import { GatewayUnavailable } from "./gateway-unavailable"
import { DeadlineExceeded, StatusFailure, errorCode, toGatewayError } from "./to-gateway-error"

const withCode = (code: unknown): Error => Object.assign(new Error("x"), { code })

// A merchant's own code and log searches depend on names and codes.
it.each([
  [
    new ApprovalHashInvalid(),
    "ApprovalHashInvalid",
    "approval_hash_invalid",
    "The notification's approval hash is invalid. Is this the secret key of the API that has this webhook URL, and is the data passed as received?",
  ],
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
  [new DeadlineExceeded(8000), "DeadlineExceeded", "deadline_exceeded", "No answer within 8000 ms"],
])("%s", (error, name, code, message) => {
  expect({ name: error.name, code: error.code, message: error.message }).toEqual({ name, code, message })
})

it("StatusFailure tells the status and what the gateway asked for", () => {
  const failure = new StatusFailure(503, 2000)
  expect([failure.name, failure.message, failure.status, failure.retryAfterMs]).toEqual([
    "StatusFailure",
    "HTTP status 503",
    503,
    2000,
  ])
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
    expect(toGatewayError(error, true)).toBe(error)
  })

  it.each([true, false])("says whether a request with no answer may have arrived: %p", (sent) => {
    const cause = withCode("ECONNRESET")
    const error = toGatewayError(cause, sent)
    expect(error).toBeInstanceOf(GatewayUnavailable)
    expect(error).toMatchObject({ outcomeUnknown: sent, httpStatus: null, cause })
  })

  it("keeps the status of an answer that said not now", () => {
    const cause = new StatusFailure(503, 0)
    expect(toGatewayError(cause, true)).toMatchObject({ httpStatus: 503, outcomeUnknown: true, cause })
  })

  it.each([
    ["UND_ERR_RES_EXCEEDED_MAX_SIZE", "body"],
    ["UND_ERR_HEADERS_OVERFLOW", "http"],
  ])("calls %s malformed at %s", (code, field) => {
    const cause = withCode(code)
    const error = toGatewayError(cause, true)
    expect(error).toBeInstanceOf(GatewayMalformed)
    expect(error).toMatchObject({ fields: [field], httpStatus: null, cause })
  })
})

it.each([
  [withCode("ECONNRESET"), "ECONNRESET"],
  [withCode(7), ""],
  [new Error("x"), ""],
  [null, ""],
  [undefined, ""],
  ["ECONNRESET", ""],
])("errorCode of %p is %p", (error, code) => {
  expect(errorCode(error)).toBe(code)
})
