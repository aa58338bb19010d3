import ar from "../../admin/i18n/ar.json"
import en from "../../admin/i18n/en.json"
import { GatewayRejected, GatewayUnavailable, type GatewayAuth } from "../../gateway"
import { describeGatewayProblem, showableWords } from "./gateway-problem"

const settings = (auth: GatewayAuth) => ({ auth, secret_keys: ["key-of-hashes", "former-key"] })

const BEARER: GatewayAuth = { type: "bearer", token: "hidden-token" }
const shown = (words: string, auth: GatewayAuth = BEARER): string | null =>
  showableWords(new GatewayRejected(404, words), settings(auth))

it.each([
  [503, "is not available at the moment: it answers HTTP 503."],
  [429, "is not available at the moment: it answers HTTP 429."],
  [null, "The gateway cannot be reached."],
])("a gateway that gives no answer but the status %p is said to be so", (httpStatus, words) => {
  const { problem, message } = describeGatewayProblem(
    new GatewayUnavailable({ httpStatus, outcomeUnknown: true })
  )
  expect(problem).toBe("unreachable")
  expect(message).toContain(words)
})

it.each([
  ["deadline_exceeded", "timeout"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
  ["UND_ERR_HEADERS_TIMEOUT", "timeout"],
  ["UND_ERR_BODY_TIMEOUT", "timeout"],
  ["ETIMEDOUT", "timeout"],
  ["ECONNREFUSED", "unreachable"],
  ["ECONNRESET", "unreachable"],
  ["ENOTFOUND", "unreachable"],
  ["UND_ERR_SOCKET", "unreachable"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "certificate_untrusted"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "certificate_untrusted"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate_wrong_host"],
  ["CERT_HAS_EXPIRED", "certificate_expired"],
  ["CERT_NOT_YET_VALID", "certificate_expired"],
  ["CERT_REVOKED", "tls_failed"],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "tls_failed"],
  ["EPROTO", "tls_failed"],
])("a call that ended with %s is said to be: %s", (code, problem) => {
  const cause = Object.assign(new Error("x"), { code })
  expect(describeGatewayProblem(new GatewayUnavailable({ outcomeUnknown: true, cause }))).toMatchObject({
    problem,
  })
  expect([en.problems, ar.problems]).toEqual(
    Array(2).fill(expect.objectContaining({ [problem]: expect.any(String) }))
  )
})

describe("the gateway's words to a merchant", () => {
  it("are shown as they are", () => {
    expect(shown("There is no asset XXX")).toBe("There is no asset XXX")
  })

  it.each<[string, GatewayAuth, string]>([
    ["the token", BEARER, "Bearer hidden-token is unknown"],
    ["the beginning of the token, where they were cut", BEARER, "You sent: Bearer hidden-"],
    [
      "the beginning of a token that repeats its first letters",
      { type: "bearer", token: "hide-hidden-token" },
      "You sent: hide-hidden",
    ],
    ["the secret key", BEARER, "Not signed with key-of-hashes"],
    ["a former secret key", BEARER, "Not signed with former-key"],
    ["the password", { type: "basic", username: "shop", password: "hidden" }, "Who is shop with hidden?"],
    // printf shop:hidden | base64
    [
      "name and password as they are sent",
      { type: "basic", username: "shop", password: "hidden" },
      "Basic c2hvcDpoaWRkZW4=",
    ],
    ["a header", { type: "headers", headers: { type: "hidden" } }, "type: hidden"],
    ["the API key", { type: "signature", apiKey: "hidden" }, "No such API key: hidden"],
    ["what a function may have sent", () => ({ authorization: "unknown" }), "There is no asset XXX"],
  ])("are not shown when they quote %s", (_, auth, words) => {
    expect(shown(words, auth)).toBeNull()
  })
})
