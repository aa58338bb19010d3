// For the specs of this folder only.
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Sandbox, SandboxOptions } from "./options"
import { startSandbox } from "./start"

export interface Answer {
  status: number
  body: any // oxlint-disable-line @typescript-eslint/no-explicit-any -- specs assert on it
}

export interface Received {
  method: string
  contentType: string
  text: string
  body: { data: Record<string, string | null>; approval_hash: string }
}

export const REQUEST = {
  symbol: "USD",
  amount: "20.01",
  ipn_success_url: "http://shop.test/return?session_id=payses_1",
  ipn_failed_url: "http://shop.test/failed",
  payer_email_address: "amira@example.com",
  payer_first_name: "Amira",
  payer_last_name: null,
  note: "payses_1",
}

/** A sandbox and a webhook receiver on free ports. Close it in afterEach. */
export async function startKit(options: Partial<SandboxOptions> = {}) {
  const receiver = await startReceiver()
  const sandbox = await startSandbox({
    port: 0,
    secretKey: "sandbox-key",
    webhookUrl: receiver.url,
    ...options,
  })
  const call = async (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> => {
    const response = await fetch(path.startsWith("http") ? path : sandbox.url + path, {
      method,
      headers,
      redirect: "manual",
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  return {
    sandbox,
    receiver,
    call,
    create: async (changes: Record<string, unknown> = {}): Promise<string> =>
      (await call("POST", "/v1/api/payments", { ...REQUEST, ...changes })).body.data
        .payment_request_id as string,
    read: async (id: string) => (await call("GET", `/v1/api/payments/${id}`)).body.data,
    control: (path: string, body: unknown = {}) => call("POST", `/control/${path}`, body),
    press: async (id: string, action: string, query = "") => {
      const body = new URLSearchParams({ action })
      return await fetch(`${sandbox.url}/pay/${id}${query}`, { method: "POST", body, redirect: "manual" })
    },
    page: async (path: string, headers: Record<string, string> = {}) =>
      await (await fetch(sandbox.url + path, { headers })).text(),
    close: async () => {
      await sandbox.close()
      await receiver.close()
    },
  }
}

export type Kit = Awaited<ReturnType<typeof startKit>> & { sandbox: Sandbox }

async function startReceiver() {
  const received: Received[] = []
  const answers: number[] = []
  let wake: () => void = () => undefined
  const server: Server = createServer((request, response) => {
    let text = ""
    request.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")))
    request.on("end", () => {
      received.push({
        method: request.method ?? "",
        contentType: request.headers["content-type"] ?? "",
        text,
        body: text.startsWith("{") ? JSON.parse(text) : {},
      })
      response.writeHead(answers.shift() ?? 200).end()
      wake()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    /** Status codes for the next deliveries; 200 after them. */
    answers,
    /** Resolves when this many notifications have arrived. */
    arrived: async (count: number): Promise<Received[]> => {
      while (received.length < count) {
        await new Promise<void>((resolve) => (wake = resolve))
      }
      return received
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
