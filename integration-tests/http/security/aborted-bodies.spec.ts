import { once } from "node:events"
import { connect } from "node:net"
import { CapturedOutput } from "../../support/captured-output"
import { describeStore, type StoreUnderTest } from "../../support/store-under-test"

const COUNT = 40

/** Begins a request and hangs up in the middle of its body. */
async function hangUp(store: StoreUnderTest, path: string, headers: Record<string, string>): Promise<void> {
  const socket = connect(Number(new URL(store.webhookUrl).port), "localhost")
  const head = Object.entries({
    host: "localhost",
    "content-type": "application/json",
    "content-length": "1000",
    expect: "100-continue",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join("")}\r\n`)
  // "100 Continue": the request has reached the store.
  await once(socket, "data")
  socket.write('{"note":')
  socket.destroy()
  await once(socket, "close")
}

describeStore("a client that hangs up in the middle of a body", (store) => {
  it.each([
    ["the webhook", "/hooks/payment/crypto_default"],
    ["the webhook in core's spelling", "/hooks/payment/pp_crypto_default"],
    ["a settle", "/admin/crypto-payments/cpreq_1/settle"],
    ["a refund", "/admin/crypto-payments/cpreq_1/refunds"],
    ["the settings", "/admin/crypto-payments/settings/pp_crypto_default"],
  ])("writes no error to the log and one line a minute at most: %s", async (_, path) => {
    const { headers } = await store.admin()
    const output = new CapturedOutput(store)
    output.start()
    for (let sent = 0; sent < COUNT; sent++) {
      await hangUp(store, path, { ...headers, "x-publishable-api-key": store.seeded.publishableKey })
    }
    // Asked after them, so when it is answered the store has noticed.
    await store.http.get("/admin/crypto-payments/health", { headers })
    output.stop()
    const lines = output.text
      .split("\n")
      .filter((line) => /error|abort|ECONNRESET|\bat .*:\d+:\d+/i.test(line))
    expect(lines.length).toBeLessThanOrEqual(1)
    expect(lines.join("\n")).not.toMatch(/"level":"error"/)
  })
})
