interface Config {
  projectConfig: { cookieOptions: { secure: boolean; sameSite: string } }
  modules: Record<string, { options?: { providers?: { options: Record<string, unknown> }[] } }>
}

/** Reads the store's configuration as it is in this environment. */
function readConfig(environment: Record<string, string>): Config {
  const before = { ...process.env }
  Object.assign(process.env, environment)
  try {
    let config: Config | undefined
    jest.isolateModules(() => {
      config = jest.requireActual<Config>("../store/medusa-config")
    })
    return config as Config
  } finally {
    process.env = before
  }
}

describe("the example store", () => {
  it.each([
    [true, { NODE_ENV: "production" }],
    [true, { NODE_ENV: "production", BACKEND_URL: "https://store.example" }],
    [false, { NODE_ENV: "production", BACKEND_URL: "http://localhost:9000" }],
    [false, { NODE_ENV: "development" }],
  ])("has cookies that are secure: %p, with %j", (secure, environment) => {
    expect(readConfig(environment).projectConfig.cookieOptions).toEqual({ secure, sameSite: "lax" })
  })

  it("sends payers only to the hosts that are given", () => {
    const { modules } = readConfig({ CRYPTO_PAYMENTS_LINK_HOSTS: "pay.example,pay.example:8443" })
    expect(modules["payment"]?.options?.providers?.[0]?.options).toMatchObject({
      paymentLinkHosts: ["pay.example", "pay.example:8443"],
    })
  })
})
