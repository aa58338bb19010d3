import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { parseJsonBody } from "./parse-json-body"

let server: Server
/** Another middleware of the store. */
let before: ((request: IncomingMessage) => Promise<unknown>) | undefined

beforeEach(async () => {
  before = undefined
  server = createServer((request, response) => {
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { connection: "close" }).end(JSON.stringify(body))
    }
    const req = request as unknown as MedusaRequest
    const res = Object.assign(response, {
      set: () => undefined,
      status: (status: number) => ({
        json: (body: unknown) => {
          answer(status, body)
        },
      }),
    }) as unknown as MedusaResponse
    const parse = async (): Promise<void> => {
      await before?.(request)
      await parseJsonBody(req, res, () => {
        answer(200, { levels: JSON.stringify(req.body).split(/[[{]/).length - 1 })
      })
    }
    parse().catch((error: unknown) => {
      answer(400, { code: (error as { code: unknown }).code })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function post(body: string, type = "application/json"): Promise<[number, unknown]> {
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${String(port)}/`, {
    method: "POST",
    body,
    headers: { "content-type": type },
  })
  return [answer.status, await answer.json()]
}

const nested = (levels: number, open: string, close: string): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`

describe("parseJsonBody", () => {
  it("takes what another middleware of the store has parsed", async () => {
    before = async (request) => {
      Object.assign(request, { body: JSON.parse(await text(request)) as unknown })
    }
    expect(await post('{"a":{}}')).toEqual([200, { levels: 2 }])
  })

  it("says so where another middleware left nothing of a body", async () => {
    before = text
    expect(await post("{}")).toEqual([503, expect.objectContaining({ type: "unexpected_state" })])
  })

  it("takes a body that begins with a byte order mark", async () => {
    expect(await post("\uFEFF{}")).toEqual([200, { levels: 1 }])
  })

  it("takes a body with 20 levels of objects or lists", async () => {
    expect(await post(nested(20, "[", "]"))).toEqual([200, { levels: 20 }])
    expect(await post(nested(20, '{"a":', "}"))).toEqual([200, { levels: 20 }])
  })

  it("refuses what is not JSON, in words that do not quote it", async () => {
    expect(await post("{sentinel")).toEqual([400, { code: "not_json" }])
  })

  it("refuses a form, which a page of another site can send without asking", async () => {
    expect((await post('{"a":1}', "text/plain"))[0]).toBe(415)
    expect((await post('{"a":1}', "text/plain; application/json"))[0]).toBe(415)
  })

  it("refuses an empty one that is not sent as JSON, and takes one that is", async () => {
    expect((await post("", "application/x-www-form-urlencoded"))[0]).toBe(415)
    expect(await post("", "Application/JSON; charset=utf-8")).toEqual([200, { levels: 1 }])
  })

  it("refuses a body over 100 kB", async () => {
    expect((await post(JSON.stringify("x".repeat(100 * 1024))))[0]).toBe(413)
  })
})
