import { GatewayMalformed, GatewayRejected, GatewayUnavailable, type GatewayError } from "../../gateway"
import { describeGatewayError, refusesContent, toMedusaError } from "./errors"

const WORDS = "payer_email_address is not valid"
const inEnvelope = (httpStatus: number): GatewayError => new GatewayRejected(httpStatus, WORDS)
const bare = (httpStatus: number, gatewayMessage: string | null = WORDS): GatewayError =>
  new GatewayMalformed({ fields: ["successful"], httpStatus, gatewayMessage })

describe("what a creation contains", () => {
  it.each([
    ["a false success flag", inEnvelope(200)],
    ["400", inEnvelope(400)],
    ["422", inEnvelope(422)],
    ["400 without the envelope", bare(400)],
    ["a page with 422", bare(422, null)],
  ])("is refused by %s", (_, error) => {
    expect(refusesContent(error)).toBe(true)
  })

  it.each([
    ["401", inEnvelope(401)],
    ["403", inEnvelope(403)],
    ["409", inEnvelope(409)],
    ["a firewall", bare(403)],
    ["an answer that cannot be used", bare(200)],
    ["a gateway that is not there", new GatewayUnavailable({ httpStatus: 503, outcomeUnknown: true })],
  ])("is not refused by %s", (_, error) => {
    expect(refusesContent(error)).toBe(false)
  })
})

it.each([
  ["CERT_HAS_EXPIRED", "gateway_unavailable, certificate_expired"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "gateway_unavailable, certificate_wrong_host"],
  ["ECONNREFUSED", "gateway_unavailable, unreachable"],
])("the log line of a call that ended with %s names why", (code, line) => {
  const cause = Object.assign(new Error("x"), { code })
  expect(describeGatewayError(new GatewayUnavailable({ outcomeUnknown: true, cause }))).toBe(line)
})

it("the log line of a gateway that answers 503 has the status", () => {
  const error = new GatewayUnavailable({ httpStatus: 503, outcomeUnknown: true })
  expect(describeGatewayError(error)).toBe("gateway_unavailable, HTTP 503")
})

describe("a refusal that names the e-mail address", () => {
  const ofEmail = { code: "email_invalid", type: "invalid_data" }

  it.each([inEnvelope(200), inEnvelope(422), bare(400)])("is the payer's to correct: %p", (error) => {
    expect(toMedusaError(error)).toMatchObject(ofEmail)
  })

  it.each([
    "The payer email address field must be valid.",
    "Invalid e-mail",
    "payer_email_address: not accepted",
    "Email is required",
  ])("is one that says %p", (message) => {
    expect(toMedusaError(bare(422, message))).toMatchObject(ofEmail)
  })

  it.each([
    ...[inEnvelope(403), bare(403), bare(200), bare(400, null)],
    bare(400, "Account suspended, please email support@gateway.example"),
  ])("is not, as %p", (error) => {
    expect(toMedusaError(error)).not.toMatchObject(ofEmail)
  })
})
