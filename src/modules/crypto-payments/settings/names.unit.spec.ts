import { settingAt, toOptionName } from "./names"

describe("names of settings", () => {
  it.each([
    ["base_url", "baseUrl"],
    ["auth.api_key", "auth.apiKey"],
    ["auth_username", "auth.username"],
    ["auth.headers.X-my_key", "auth.headers.X-my_key"],
  ])("calls %s in medusa-config %s", (name, option) => {
    expect(toOptionName(name)).toBe(option)
  })

  it.each([
    [["apiKey"], "auth.api_key"],
    [["username"], "auth_username"],
    [["header_names", "api_key"], "auth_header_names"],
    [["headers", "X-my_Key"], "auth.headers.X-my_Key"],
    [["headers"], "auth_type"],
    [["type"], "auth_type"],
    [[], "auth_type"],
  ])("names what is at %j of an authentication %s", (place, name) => {
    expect(settingAt(["auth", ...place])).toBe(name)
  })
})
