import { connect } from "node:net"
import { runInThisContext } from "node:vm"
import { startSandbox } from "./start"
import { REQUEST, startKit } from "./testing-kit.spec"

describe("startSandbox", () => {
  it("tells its address and its base URL with the version segment", async () => {
    const sandbox = await startSandbox({ port: 0, secretKey: "s" })
    await sandbox.close()
    expect(sandbox.url).toBe(`http://127.0.0.1:${sandbox.port}`)
    expect(sandbox.baseUrl).toBe(`${sandbox.url}/v1`)
  })

  it("listens to this machine only, unless it is given another address", async () => {
    // The whole of 127.0.0.0/8 is this machine. Whoever listens to all addresses answers at this one too.
    const connects = async (port: number): Promise<boolean> =>
      await new Promise((resolve) => {
        const socket = connect({ port, host: "127.0.0.2", timeout: 2000 })
        const end = (isConnected: boolean) => () => {
          socket.destroy()
          resolve(isConnected)
        }
        socket.once("connect", end(true)).once("error", end(false)).once("timeout", end(false))
      })
    const [alone, open] = await Promise.all([
      startSandbox({ port: 0, secretKey: "s" }),
      startSandbox({ port: 0, secretKey: "s", host: "0.0.0.0" }),
    ])
    const found = [await connects(alone.port), await connects(open.port)]
    await Promise.all([alone.close(), open.close()])
    expect(found).toEqual([false, true])
  })

  it("writes the public address into payment links", async () => {
    const kit = await startKit({ publicUrl: "https://pay.example/" })
    const { body } = await kit.call("POST", `http://127.0.0.1:${kit.sandbox.port}/v1/api/payments`, REQUEST)
    await kit.close()
    expect(body.data.payment_link).toMatch(/^https:\/\/pay\.example\/pay\/[0-9a-f-]{36}$/)
  })

  it.each([
    [{ secretKey: "" }, "secretKey is required"],
    [{ secretKey: "s", webhookUrl: "localhost" }, "webhookUrl must be an http or https address"],
    [{ secretKey: "s", feePercent: -1 }, "feePercent must be a plain decimal"],
  ])("refuses %j", async (options, why) => {
    await expect(startSandbox({ port: 0, ...options })).rejects.toThrow(why)
  })

  it("fails with EADDRINUSE when the port is taken", async () => {
    const first = await startSandbox({ port: 0, secretKey: "s" })
    await expect(startSandbox({ port: first.port, secretKey: "s" })).rejects.toMatchObject({
      code: "EADDRINUSE",
    })
    await first.close()
  })

  it("closes although a call hangs and a notification waits", async () => {
    const kit = await startKit({ notificationDelayMs: 60_000 })
    const id = await kit.create()
    await kit.control(`payments/${id}/pay`)
    await kit.control("faults", { endpoint: "read", kind: "timeout" })
    const hanging = kit.read(id)
    const cut = expect(hanging).rejects.toThrow()
    await kit.close()
    await cut
  })

  it("warns of no leak when many notifications are under way at once", async () => {
    // Jest's own `process` hears no warnings.
    const node = runInThisContext("process") as NodeJS.Process
    const warnings: string[] = []
    const hear = ({ name }: Error) => void warnings.push(name)
    node.on("warning", hear)
    const kit = await startKit()
    await kit.control("reset")
    await kit.control(`payments/${await kit.create()}/notify`, { times: 20, parallel: true })
    await kit.close()
    node.off("warning", hear)
    expect(warnings).toEqual([])
  })

  it("can be closed twice", async () => {
    const sandbox = await startSandbox({ port: 0, secretKey: "s" })
    await sandbox.close()
    await expect(sandbox.close()).resolves.toBeUndefined()
  })

  it("sends notifications to an address given later", async () => {
    const kit = await startKit({ webhookUrl: "http://127.0.0.1:1/nowhere" })
    kit.sandbox.setWebhookUrl(kit.receiver.url)
    await kit.control(`payments/${await kit.create()}/pay`, { wait: true })
    await kit.close()
    expect(kit.receiver.received).toHaveLength(1)
  })
})
