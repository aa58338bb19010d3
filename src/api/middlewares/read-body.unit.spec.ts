import { once } from "node:events"
import { createServer, IncomingMessage, type Server } from "node:http"
import { connect, Socket, type AddressInfo } from "node:net"
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

  it("does not wait for a sender who was gone before", async () => {
    const request = new IncomingMessage(new Socket())
    request.destroy()
    expect(await readBody(request, { maxBytes: 10, maxDroppedBytes: 20, timeoutMs: 60_000 })).toBe("aborted")
  })
})
