import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import Medusa from "@medusajs/js-sdk"

export interface StoreAnswer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

interface SeenRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: unknown
}

/** An HTTP server that answers like a store, and the real js-sdk as its client. */
export class StoreDouble {
  readonly seen: SeenRequest[] = []
  private constructor(private readonly server: Server) {}

  /** @param answers by "METHOD /path", without the query; a list gives one per call, then its last */
  static async listen(answers: Record<string, StoreAnswer | StoreAnswer[]>): Promise<StoreDouble> {
    const left = Object.fromEntries(Object.entries(answers).map(([key, value]) => [key, [value].flat()]))
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const { method = "", url = "", headers } = request
        const text = Buffer.concat(chunks).toString()
        double.seen.push({ method, url, headers, body: text === "" ? undefined : JSON.parse(text) })
        const queue = left[`${method} ${url.split("?")[0] ?? ""}`] ?? []
        const answer = (queue.length > 1 ? queue.shift() : queue[0]) ?? {
          status: 404,
          body: { message: "no route" },
        }
        const body = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {})
        response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers })
        response.end(body)
      })
    })
    const double = new StoreDouble(server)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return double
  }

  get sdk(): Medusa {
    const { port } = this.server.address() as AddressInfo
    return new Medusa({ baseUrl: `http://127.0.0.1:${String(port)}`, publishableKey: "pk_test" })
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
