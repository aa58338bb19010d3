import ar from "../../admin/i18n/ar.json"
import en from "../../admin/i18n/en.json"
import { GatewayUnavailable } from "../../gateway"
import { describeGatewayProblem } from "./gateway-problem"

it.each([
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
