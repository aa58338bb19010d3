import { version } from "../package.json"
import { parseCommand, USAGE } from "./command"

const parse = (line: string) => parseCommand(line.split(" ").filter((word) => word !== ""))

describe("parseCommand", () => {
  it("reads every option", () => {
    const line =
      "sandbox --secret s --webhook http://localhost:9000/hooks/payment/crypto_default --port 0 --host ::1 --token t --api-key k --merchant Lulu --fee-paid-by BUYER --public-url https://pay.test"
    expect(parse(line)).toEqual({
      run: {
        secretKey: "s",
        webhookUrl: "http://localhost:9000/hooks/payment/crypto_default",
        port: 0,
        host: "::1",
        auth: { bearerToken: "t", signature: { apiKey: "k" } },
        merchantName: "Lulu",
        feePaidBy: "BUYER",
        publicUrl: "https://pay.test",
      },
    })
  })

  it("asks for no authentication unless told", () => {
    expect(parse("sandbox --secret s")).toEqual({
      run: { secretKey: "s", port: 4010, feePaidBy: "MERCHANT" },
    })
  })

  it.each(["--help", "help", "sandbox --help", "sandbox -h"])("prints the usage for %s", (line) => {
    expect(parse(line)).toEqual({ print: USAGE })
  })

  it.each(["--version", "-v", "sandbox --version"])("prints the package's version for %s", (line) => {
    expect(parse(line)).toEqual({ print: version })
  })

  it.each([
    ["", /^say what to run/],
    ["sandbax", /^unknown command sandbax/],
    ["--token t", /^--token belongs after the command: medusa-payment-crypto sandbox --token/],
    ["--secret=s --token=", /^--secret belongs after the command/],
    ["sandbox", /^--secret is missing/],
    ["sandbox --secret=", /^--secret is empty; give it a value/],
    ["sandbox --secret s --prot 1", /^Unknown option '--prot'/],
    ["sandbox --secret s extra", /^Unexpected argument 'extra'/],
    ["sandbox --secret s --port 70000", /^--port must be a number from 0 to 65535/],
    ["sandbox --secret s --fee-paid-by ME", /^--fee-paid-by must be BUYER or MERCHANT/],
    ["sandbox --secret s --port=", /^--port is empty; leave it out/],
    ["sandbox --secret s --port -1", /^Option '--port' argument is ambiguous; see /],
    ["sandbox --secret s --webhook localhost:9000", /^--webhook must be an http or https address/],
    ["sandbox --secret s --webhook http://", /^--webhook must be an http or https address/],
    ["sandbox --secret s --public-url http://:80", /^--public-url must be an http or https address/],
    ["sandbox --secret s --webhook=", /^--webhook is empty; leave it out/],
    ["sandbox --secret s --token=", /^--token is empty; leave it out/],
    ["sandbox --secret s --api-key=", /^--api-key is empty; leave it out/],
  ])("refuses '%s' in one line", (line, why) => {
    const refusal = (parse(line) as { refuse: string }).refuse
    expect(refusal).toMatch(why)
    expect(refusal).not.toContain("\n")
  })

  it.each(["token", "api-key", "merchant"])("refuses a --%s of spaces, which no request can have", (name) => {
    const { refuse } = parseCommand(["sandbox", "--secret", "s", `--${name}`, "  "]) as { refuse: string }
    expect(refuse).toBe(`--${name} is empty; leave it out, or give it a value`)
  })
})
