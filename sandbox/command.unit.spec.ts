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

  it.each([
    ["", /^say what to run/],
    ["sandbax", /^unknown command sandbax/],
    ["sandbox", /^--secret is missing/],
    ["sandbox --secret s --prot 1", /^Unknown option '--prot'/],
    ["sandbox --secret s extra", /^Unexpected argument 'extra'/],
    ["sandbox --secret s --port 70000", /^--port must be a number from 0 to 65535/],
    ["sandbox --secret s --fee-paid-by ME", /^--fee-paid-by must be BUYER or MERCHANT/],
    ["sandbox --secret s --webhook localhost:9000", /^--webhook must be an http or https address/],
  ])("refuses '%s' in one line", (line, why) => {
    const refusal = (parse(line) as { refuse: string }).refuse
    expect(refusal).toMatch(why)
    expect(refusal).not.toContain("\n")
  })
})
