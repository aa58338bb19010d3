import { createServer } from "node:net"
import type { AddressInfo, Socket } from "node:net"
import { input } from "./client-under-test.spec"
import { json, readEnvelope, silence } from "./fake-gateway.spec"
import { TransportUnderTest, created, good, unavailable } from "./transport-under-test.spec"

const on = new TransportUnderTest()

/** Undici gives a connection back one turn of the event loop after the answer. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

describe("the deadline", () => {
  it("covers all attempts", async () => {
    on.gateway.script = [silence]
    const error = await unavailable(on.connect({ timeoutMs: 300 }).readBalance("AED"))
    expect(error.reason).toBe("timeout")
  })

  it("covers a body that drips", async () => {
    on.gateway.script = [
      (response) => {
        response.writeHead(200, { "content-length": "1000000" })
        const drip = setInterval(() => response.write(" "), 20)
        response.on("close", () => {
          clearInterval(drip)
        })
      },
    ]
    const error = await unavailable(on.connect({ timeoutMs: 300 }).readBalance("AED"))
    expect(error.reason).toBe("timeout")
  })

  it("covers a connection that is never made", async () => {
    // Takes the TCP connection and never answers the TLS handshake.
    const sockets: Socket[] = []
    const mute = createServer((socket) => sockets.push(socket))
    await new Promise<void>((resolve) => {
      mute.listen(0, "127.0.0.1", resolve)
    })
    const port = String((mute.address() as AddressInfo).port)
    const client = on.connect({ baseUrl: `https://127.0.0.1:${port}`, timeoutMs: 200 })
    const error = await unavailable(client.createPaymentRequest(input))
    expect(error).toMatchObject({ outcomeUnknown: true, reason: "timeout" })
    for (const socket of sockets) {
      socket.destroy()
    }
    mute.close()
  })

  it("covers waiting for a free connection, and what was given up is not sent later", async () => {
    const held: (() => void)[] = []
    on.gateway.script = [(response, request) => held.push(() => created(response, request))]
    const client = on.connect({ timeoutMs: 60_000 })
    const creations = Promise.all(Array.from({ length: 32 }, () => client.createPaymentRequest(input)))
    while (held.length < 32) {
      await turn()
    }
    await unavailable(on.connect({ timeoutMs: 100 }).createPaymentRequest(input))
    for (const release of held) {
      release()
    }
    await creations
    // The one that was given up stood first in the queue: once this later one is answered, it has had its turn.
    on.gateway.script = [created]
    await client.createPaymentRequest(input)
    expect(on.gateway.received).toHaveLength(33)
  })

  it("covers an auth function that hangs", async () => {
    const client = on.connect({ timeoutMs: 100, auth: () => new Promise(() => undefined) })
    expect((await unavailable(client.createPaymentRequest(input))).reason).toBe("timeout")
    expect(on.gateway.received).toEqual([])
  })

  it("covers an auth function that answers too late, and no connection is made for it", async () => {
    let answer: (headers: Record<string, string>) => void = () => undefined
    const late = new Promise<Record<string, string>>((resolve) => (answer = resolve))
    const client = on.connect({ timeoutMs: 100, auth: async () => await late })
    await unavailable(client.readBalance("AED"))
    answer({})
    // A connection that was begun for it would be there before this later one.
    on.gateway.script = [good]
    await on.connect().readBalance("AED")
    expect(on.gateway.connectionCount).toBe(1)
  })
})

describe("the pool", () => {
  it("of settling keeps one connection for calls after each other, lists among them", async () => {
    const client = on.connect({ poolUse: "settling" })
    on.gateway.script = [good]
    await client.readBalance("AED")
    await turn()
    await client.readBalance("AED")
    await turn()
    on.gateway.script = [json(readEnvelope([]))]
    await client.listPaymentRequests()
    expect(on.gateway.connectionCount).toBe(1)
  })

  it("of the shop makes a new connection for each call", async () => {
    on.gateway.script = [good]
    const client = on.connect()
    await client.readBalance("AED")
    await turn()
    await client.readBalance("AED")
    expect(on.gateway.connectionCount).toBe(2)
  })

  it("of settling is free for a read while visitors use up that of the shop", async () => {
    const held: (() => void)[] = []
    on.gateway.script = [(response, request) => held.push(() => created(response, request))]
    const shop = on.connect({ timeoutMs: 60_000 })
    const creations = Promise.all(Array.from({ length: 40 }, () => shop.createPaymentRequest(input)))
    while (held.length < 32) {
      await turn()
    }
    on.gateway.script = [good]
    await expect(on.connect({ poolUse: "settling" }).readBalance("AED")).resolves.toMatchObject({
      asset: "AED",
    })
    on.gateway.script = [created]
    for (const release of held) {
      release()
    }
    expect(await creations).toHaveLength(40)
  })

  it("is shared by clients that are given the same connections", async () => {
    on.gateway.script = [good]
    await on.connect({ poolUse: "settling" }).readBalance("AED")
    await turn()
    const other = on.connect({ baseUrl: `http://${on.gateway.host}/other`, poolUse: "settling" })
    await other.readBalance("AED")
    expect(on.gateway.connectionCount).toBe(1)
  })

  it("carries many calls at once", async () => {
    on.gateway.script = [good]
    const client = on.connect({ poolUse: "settling" })
    const balances = await Promise.all(Array.from({ length: 100 }, () => client.readBalance("AED")))
    expect(balances).toHaveLength(100)
    expect(on.gateway.connectionCount).toBeLessThanOrEqual(15)
  })
})

it("shows no credentials when a client is printed", async () => {
  const { inspect } = await import("node:util")
  const client = on.connect({ auth: { type: "bearer", token: "token-1" }, secretKey: "key-1" })
  expect(`${inspect(client, { depth: 9, showHidden: true })}${JSON.stringify(client)}`).not.toMatch(
    /token-1|key-1/
  )
})
