import { GatewayClient } from "./client"
import { GatewayMalformed, GatewayRejected } from "./errors"
import { FakeGateway, json, raw } from "./fake-gateway.spec"

const data = { asset: "AED", value: "1.00000000000000", locked: "0.00000000000000" }

let gateway: FakeGateway
let client: GatewayClient

beforeEach(async () => {
  gateway = new FakeGateway()
  await gateway.start()
  client = new GatewayClient({ baseUrl: gateway.baseUrl })
})

afterEach(async () => {
  await gateway.stop()
})

/** What reading a balance fails with. */
async function failure(): Promise<GatewayMalformed | GatewayRejected> {
  return await client.readBalance("AED").then(
    () => {
      throw new Error("nothing was refused")
    },
    (error: GatewayMalformed | GatewayRejected) => error
  )
}

it("asks for an answer that is not compressed", async () => {
  gateway.script = [json({ data, successful: true })]
  await client.readBalance("AED")
  expect(gateway.received[0]?.headers["accept-encoding"]).toBe("identity")
})

it("reads an answer that begins with a byte order mark", async () => {
  gateway.script = [raw(`\uFEFF${JSON.stringify({ data, successful: true })}`)]
  await expect(client.readBalance("AED")).resolves.toMatchObject({ asset: "AED" })
})

describe("success flag", () => {
  it.each([
    { successful: true },
    { is_successful: true },
    { successful: true, is_successful: true },
    { successful: null, is_successful: true },
  ])("accepts %p", async (flags) => {
    gateway.script = [json({ data, message: "ok", ...flags })]
    await expect(client.readBalance("AED")).resolves.toMatchObject({ asset: "AED" })
  })

  it.each([
    { successful: false },
    { is_successful: false },
    { successful: true, is_successful: false },
    { successful: false, is_successful: true },
  ])("takes %p as a refusal with the gateway's message, even with good data", async (flags) => {
    gateway.script = [json({ data, message: "not today", ...flags })]
    const error = await failure()
    expect(error).toBeInstanceOf(GatewayRejected)
    expect(error).toMatchObject({ code: "gateway_rejected", httpStatus: 200, gatewayMessage: "not today" })
  })

  it.each<[string, Record<string, unknown>, string]>([
    ["missing", {}, "successful"],
    ["null", { successful: null, is_successful: null }, "successful"],
    ["the word true", { successful: "true" }, "successful"],
    ["the number 1", { is_successful: 1 }, "is_successful"],
  ])(
    "calls an envelope whose flag is %s malformed and carries the gateway's message",
    async (_what, flags, field) => {
      gateway.script = [json({ data, message: "odd", ...flags })]
      const error = await failure()
      expect(error).toBeInstanceOf(GatewayMalformed)
      expect(error).toMatchObject({
        code: "gateway_malformed",
        fields: [field],
        httpStatus: 200,
        gatewayMessage: "odd",
      })
    }
  )
})

describe("answers that are none", () => {
  it.each<[string, string | Buffer]>([
    ["HTML", "<html><body>Sign in, secret@example.com</body></html>"],
    ["truncated JSON", '{"data":{"asset":"AED","value":"1.0'],
    ["nothing", ""],
    ["null", "null"],
    ["a list", "[]"],
    ["a string", '"ok"'],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ["compressed bytes nobody asked for", Buffer.from("1f8b0800000000000003abaeaee502000620a1e9", "hex")],
  ])("calls %s malformed", async (_what, body) => {
    gateway.script = [raw(body)]
    const error = await failure()
    expect(error).toBeInstanceOf(GatewayMalformed)
    expect(error).toMatchObject({ fields: ["body"], httpStatus: 200 })
    expect(`${String(error)} ${String(error.cause)} ${JSON.stringify(error)}`).not.toContain("secret@")
  })

  it("calls data that is missing malformed", async () => {
    gateway.script = [json({ successful: true })]
    expect(await failure()).toMatchObject({ fields: ["data"] })
  })

  it.each([300, 301, 302, 303, 307, 308])(
    "follows no redirect %i and never takes it as an answer",
    async (status) => {
      gateway.script = [
        json({ data, successful: true }, status, { location: `${gateway.baseUrl}/elsewhere` }),
      ]
      const error = await failure()
      expect(error).toBeInstanceOf(GatewayMalformed)
      expect(error).toMatchObject({ fields: ["http"], httpStatus: status })
      expect(gateway.received).toHaveLength(1)
    }
  )

  it("calls a body over 16 MB malformed, with a length given", async () => {
    gateway.script = [json({ data: { ...data, pad: "x".repeat(16 * 1024 * 1024) }, successful: true })]
    expect(await failure()).toMatchObject({ code: "gateway_malformed", fields: ["body"] })
    expect(gateway.received).toHaveLength(1)
  })

  it("calls a body over 16 MB malformed, in chunks without end", async () => {
    gateway.script = [
      (response) => {
        const write = (): void => {
          if (response.writable && !response.destroyed) {
            response.write("x".repeat(65536), () => setImmediate(write))
          }
        }
        write()
      },
    ]
    expect(await failure()).toMatchObject({ code: "gateway_malformed", fields: ["body"] })
  })

  it("reads a body just under 16 MB", async () => {
    gateway.script = [json({ data: { ...data, pad: "x".repeat(16 * 1024 * 1024 - 1000) }, successful: true })]
    await expect(client.readBalance("AED")).resolves.toMatchObject({ asset: "AED" })
  })

  it("takes bytes that are no HTTP for no answer, and does not keep them", async () => {
    gateway.script = [(response) => response.socket?.end("SSH-2.0-OpenSSH_9.6 secret\r\n")]
    const error = await failure()
    expect(error).toMatchObject({ code: "gateway_unavailable" })
    expect(error.cause).toBeUndefined()
  })
})

describe("4xx", () => {
  it.each([
    [true, { message: "No balance in XYZ", successful: false, data: null }],
    [true, { is_successful: false }],
    [false, { message: "Not Found" }],
    [false, "<h1>Not Found</h1>"],
  ])("says whether a 404 came in the gateway's envelope: %p", async (isInEnvelope, body) => {
    gateway.script = [json(body, 404)]
    expect(await failure()).toMatchObject({ httpStatus: 404, isInEnvelope })
  })

  it.each([400, 401, 403, 404, 407, 409, 422, 428, 451, 499])(
    "takes %i as a refusal, not repeated",
    async (status) => {
      gateway.script = [json({ message: "no such payment", successful: true, data }, status)]
      const error = await failure()
      expect(error).toBeInstanceOf(GatewayRejected)
      expect(error).toMatchObject({ httpStatus: status, gatewayMessage: "no such payment" })
      expect(gateway.received).toHaveLength(1)
    }
  )

  const page = "\uFEFF\n <!doctype html><p>Your request was blocked, secret@example.com"

  it.each<[number, string]>([
    ...[400, 403, 405, 406, 407, 422, 451].map((status): [number, string] => [status, page]),
    [403, "error code: 1020"],
    [403, ""],
    [403, '"blocked"'],
    [403, "[]"],
    [403, '{"error":"blocked"}'],
    [403, '{"message":"Forbidden","successful":"no"}'],
    [400, '{"error":"blocked"}'],
  ])("of a proxy or firewall, without a success flag, is malformed: %i %j", async (status, body) => {
    gateway.script = [raw(body, status)]
    const error = await failure()
    expect(error).toBeInstanceOf(GatewayMalformed)
    expect(error).toMatchObject({ fields: ["http"], httpStatus: status })
    expect(gateway.received).toHaveLength(1)
  })

  it.each(
    [401, 404, 410].flatMap((status) =>
      [page, "error", "", '{"error":"no"}'].map((body) => [status, body] as const)
    )
  )("is a refusal that need not be the gateway's, without a success flag: %i %j", async (status, body) => {
    gateway.script = [raw(body, status)]
    expect(await failure()).toMatchObject({
      code: "gateway_rejected",
      httpStatus: status,
      isInEnvelope: false,
    })
  })

  it.each<[string, string]>([
    ["an HTML page", "<html>"],
    ["text", "Not found"],
    ["JSON without message", "{}"],
    ["a message that is no text", '{"message":{"text":"x"}}'],
    ["over 1 MB", "x".repeat(1024 * 1024 + 1)],
  ])("needs no message: body is %s", async (_what, body) => {
    gateway.script = [raw(body, 404)]
    expect(await failure()).toMatchObject({ httpStatus: 404, gatewayMessage: null })
  })
})

describe("the gateway's message", () => {
  it("is cut to 200 characters and one line", async () => {
    gateway.script = [json({ message: `a\r\n\u2028b${"😀".repeat(300)}`, successful: false }, 400)]
    const { gatewayMessage } = await failure()
    expect(gatewayMessage).toBe(`a b${"😀".repeat(197)}`)
  })

  it("is known of a refusal without a success flag too", async () => {
    gateway.script = [json({ message: "The name is too long" }, 422)]
    expect(await failure()).toMatchObject({ httpStatus: 422, gatewayMessage: "The name is too long" })
  })

  it("is in no text that the error prints as", async () => {
    gateway.script = [json({ message: "buyer@example.com is blocked", successful: false }, 400)]
    const error = await failure()
    const { inspect } = await import("node:util")
    expect(`${String(error)} ${error.stack ?? ""} ${JSON.stringify(error)} ${inspect(error)}`).not.toContain(
      "buyer@"
    )
  })
})
