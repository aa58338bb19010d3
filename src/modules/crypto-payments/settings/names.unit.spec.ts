import { toFieldName } from "./names"

describe("toFieldName", () => {
  it.each([
    ["baseUrl", "base_url"],
    ["auth.apiKey", "auth.api_key"],
    ["auth.username", "auth_username"],
    ["auth.headers", "auth"],
    ["auth.headers.X-Key", "auth.headers.X-Key"],
  ])("calls %s by the form's name for it, %s", (option, field) => {
    expect(toFieldName(option)).toBe(field)
  })
})
