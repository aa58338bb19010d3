import { once } from "node:events"
import { createServer, IncomingMessage, type Server } from "node:http"
import { connect, Socket, type AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { readBody } from "./read-body"

let server: Server
let sockets: Socket[]
/** Longer than a test lasts, unless it is about this limit. */
let timeoutMs: number

beforeEach(async () => {
  sockets = []
  timeoutMs = 60_000
  server = createServer((request, response) => {
    void readBody(request, { maxBytes: 10, maxDroppedBytes: 20, timeoutMs }).then((body) => {
      const outcome = typeof body === "string" ? body : `read ${body.toString()}`
      server.emit("outcome", outcome, request.complete)
      response.setHeader("Connection", "close").end(outcome)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
})
afterEach(async () => {
  for (const socket of sockets) {
    socket.destroy()
  }
  await new Promise((resolve) => server.close(resolve))
})

/** Sends raw bytes, so that a body can be as slow or as false as a hostile sender makes it. */
function send(headers: string[], body: string): { socket: Socket; answer: Promise<string> } {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
  sockets.push(socket)
  const answer = new Promise<string>((resolve) => {
    let text = ""
    socket.on("data", (chunk) => (text += chunk.toString()))
    socket.on("close", () => {
      resolve(text.split("\r\n\r\n")[1] ?? "")
    })
  })
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${headers.join("\r\n")}\r\n\r\n${body}`)
  return { socket, answer }
}

describe("readBody", () => {
  it("reads a body of just the size that is allowed", async () => {
    expect(await send(["Content-Length: 10"], "0123456789").answer).toBe("read 0123456789")
  })

  it("reads a body over the limit to its end, so that its sender hears the answer", async () => {
    const outcome = once(server, "outcome")
    const { socket, answer } = send(["Content-Length: 30"], "0123456789012345")
    socket.write("67890123456789")
    expect(await answer).toBe("too_large")
    expect(await outcome).toEqual(["too_large", true])
  })

  it("does not wait for a body whose stated length is far over the limit", async () => {
    expect(await send(["Content-Length: 31"], "").answer).toBe("too_large")
  })

  it("stops reading a body that grows far over the limit without saying so", async () => {
    const outcome = once(server, "outcome")
    const { answer } = send(
      ["Transfer-Encoding: chunked"],
      `10\r\n${"0".repeat(16)}\r\n10\r\n${"1".repeat(16)}\r\n`
    )
    expect(await answer).toBe("too_large")
    expect(await outcome).toEqual(["too_large", false])
  })

  it("calls a body too large, not too slow, when it is over the limit and does not end in time", async () => {
    timeoutMs = 300
    expect(await send(["Content-Length: 30"], "0123456789012345").answer).toBe("too_large")
  })

  it("gives up on a body that comes byte by byte and does not end in time", async () => {
    timeoutMs = 300
    const { socket, answer } = send(["Content-Length: 10"], "0")
    const drip = setInterval(() => socket.write("1"), 100)
    try {
      expect(await answer).toBe("too_slow")
    } finally {
      clearInterval(drip)
    }
  })

  it("says so, and throws nothing, when the sender hangs up in the middle", async () => {
    const outcome = once(server, "outcome")
    const { socket } = send(["Content-Length: 10"], "0")
    server.once("request", () => {
      socket.destroy()
    })
    expect(await outcome).toEqual(["aborted", false])
  })

  describe("of a body that another middleware read before", () => {
    const readAgain = async (left: object, read = true): Promise<unknown> => {
      const request = Object.assign(new IncomingMessage(new Socket()), left)
      request.push('{"note":"1.0"}')
      request.push(null)
      if (read) {
        await text(request)
      }
      const body = await readBody(request, { maxBytes: 100, maxDroppedBytes: 0, timeoutMs: 60_000 })
      return Buffer.isBuffer(body) ? body.toString() : body
    }

    it.each<[string, object, string]>([
      ["the values that it parsed", { body: { note: "1.0" } }, '{"note":"1.0"}'],
      ["a list that it parsed", { body: ["1.0"] }, '["1.0"]'],
      ["the text that it kept", { body: '{"note": "1.0"}' }, '{"note": "1.0"}'],
      ["the bytes that it kept", { body: Buffer.from("bytes") }, "bytes"],
      ["the bytes next to the values", { body: {}, rawBody: Buffer.from("bytes") }, "bytes"],
    ])("takes %s", async (_, left, taken) => {
      expect(await readAgain(left)).toBe(taken)
    })

    it.each([
      ["nothing", {}],
      ["null", { body: null }],
      ["a truth value", { body: true }],
    ])("says so when it left %s", async (_, left) => {
      expect(await readAgain(left)).toBe("already_read")
    })

    it.each([
      ["an empty object", { body: {} }],
      ["an empty text", { body: "" }],
    ])("says so when it left %s of more that was sent", async (_, left) => {
      const headers = { "content-length": "14" }
      expect(await readAgain({ ...left, headers })).toBe("already_read")
      expect(await readAgain(left)).not.toBe("already_read")
    })

    it("is not misled by a parser that took the body for none of its own", async () => {
      expect(await readAgain({ body: {} }, false)).toBe('{"note":"1.0"}')
    })
  })

  it("does not wait for a sender who was gone before", async () => {
    const request = new IncomingMessage(new Socket())
    request.destroy()
    expect(await readBody(request, { maxBytes: 10, maxDroppedBytes: 20, timeoutMs: 60_000 })).toBe("aborted")
  })
})
