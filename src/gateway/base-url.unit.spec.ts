import { parseBaseUrl } from "./base-url"

describe("parseBaseUrl", () => {
  it.each([
    ["https://gateway.example", "https://gateway.example", ""],
    ["https://gateway.example:8443/api/v1//", "https://gateway.example:8443", "/api/v1"],
    ["https://gateway.example/a b/v1", "https://gateway.example", "/a%20b/v1"],
    ["http://localhost:4010/v1", "http://localhost:4010", "/v1"],
    ["http://127.0.0.1/v1", "http://127.0.0.1", "/v1"],
    ["http://127.210.220.230/v1", "http://127.210.220.230", "/v1"],
    ["http://[::1]:4010/v1", "http://[::1]:4010", "/v1"],
  ])("takes %s apart", (baseUrl, origin, pathPrefix) => {
    expect(parseBaseUrl(baseUrl)).toEqual({ origin, pathPrefix })
  })

  it.each([
    ["no address", "gateway.example"],
    ["http where others can listen", "http://gateway.example/v1"],
    ["http on a name that only begins like loopback", "http://127.0.0.1.gateway.example/v1"],
    ["http on a name that only ends like loopback", "http://not-localhost/v1"],
    ["http on the next network", "http://128.0.0.1/v1"],
    ["another protocol", "ftp://localhost/v1"],
  ])("refuses %s", (_, baseUrl) => {
    expect(() => parseBaseUrl(baseUrl)).toThrow(
      new TypeError("baseUrl must be an https address, or http on localhost")
    )
  })

  it.each(["user@", "user:key@", ":key@"])("refuses the credentials %s", (credentials) => {
    expect(() => parseBaseUrl(`https://${credentials}gateway.example/v1`)).toThrow("no credentials")
  })

  it.each(["?key=1", "#key"])("refuses %s", (end) => {
    expect(() => parseBaseUrl(`https://gateway.example/v1${end}`)).toThrow(
      "no credentials, query or fragment"
    )
  })
})
