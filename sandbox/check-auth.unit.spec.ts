import { checkAuth } from "./check-auth"
import { startKit } from "./testing-kit.spec"

const NOW = 1_700_000_000_000
const request = (headers: Record<string, string> = {}) => ({
  method: "GET",
  path: "/v1/api/payments",
  headers,
})
const check = (auth: Parameters<typeof checkAuth>[0], headers?: Record<string, string>) =>
  checkAuth(auth, request(headers), "sandbox-key", NOW)

describe("checkAuth", () => {
  it("lets everything pass when nothing is asked for", () => {
    expect(check({})).toBeUndefined()
  })

  it("asks for the bearer token", () => {
    expect(check({ bearerToken: "t" }, { authorization: "Bearer t" })).toBeUndefined()
    expect(check({ bearerToken: "t" }, { authorization: "Bearer T" })).toBe("Bearer token missing or wrong")
  })

  it("asks for basic credentials", () => {
    const basic = { username: "Aladdin", password: "open sesame" } // the pair of RFC 7617
    expect(check({ basic }, { authorization: "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==" })).toBeUndefined()
    expect(check({ basic })).toBe("Basic credentials missing or wrong")
  })

  it("asks for each header, whatever the case of its name", () => {
    const headers = { "X-Key": "a", "X-Shop": "b" }
    expect(check({ headers }, { "x-key": "a", "x-shop": "b" })).toBeUndefined()
    expect(check({ headers }, { "x-key": "a" })).toBe("Header X-Shop missing or wrong")
  })

  describe("signature", () => {
    const signature = { apiKey: "key-1", secretKey: "api-secret" }
    // printf '%s' 'GET/v1/api/payments1700000000' | openssl dgst -sha256 -hmac api-secret -hex
    const good = {
      "x-palla-api-key": "key-1",
      "x-palla-timestamp": "1700000000",
      "x-palla-sign": "e7d391fe8fae5f44f3149971af37fc365c7cdafb8a486c48b1929a7c8e80da6f",
    }

    it("covers method, path with prefix, and time", () => {
      expect(check({ signature }, good)).toBeUndefined()
    })

    it.each([
      ["x-palla-api-key", "key-2", "API key missing or wrong"],
      ["x-palla-timestamp", "1700000001", "Request signature missing or wrong"],
      ["x-palla-timestamp", "1699999000", "Timestamp missing or too far from now"],
      ["x-palla-timestamp", "", "Timestamp missing or too far from now"],
      ["x-palla-sign", good["x-palla-sign"].toUpperCase(), "Request signature missing or wrong"],
    ])("refuses %s = %s", (name, value, why) => {
      expect(check({ signature }, { ...good, [name]: value })).toBe(why)
    })

    it("takes other header names", () => {
      const headerNames = { apiKey: "X-K", timestamp: "X-T", sign: "X-S" }
      const headers = { "x-k": "key-1", "x-t": "1700000000", "x-s": good["x-palla-sign"] }
      expect(check({ signature: { ...signature, headerNames } }, headers)).toBeUndefined()
    })
  })

  it("makes the API answer 401 in the envelope", async () => {
    const kit = await startKit({ auth: { bearerToken: "t" } })
    const answer = await kit.call("GET", "/v1/api/balances")
    await kit.close()
    expect(answer).toEqual({
      status: 401,
      body: { data: null, message: "Bearer token missing or wrong", is_successful: false },
    })
  })
})
