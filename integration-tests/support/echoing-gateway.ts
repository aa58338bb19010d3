import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** How it answers. Each of these answers contains what it was sent, wherever a text can be. */
export const ECHOES = [
  "400",
  "401",
  "404",
  "404 of another server",
  "422",
  "500",
  "false flag",
  "no flag",
  "wrong types",
  "cut off",
  "HTML",
  "redirect",
  "no HTTP",
  "records",
] as const
export type Echo = (typeof ECHOES)[number]

/** A gateway, or something in front of it, that quotes the requests it gets: headers, path and body. */
export interface EchoingGateway {
  baseUrl: string
  echo: Echo
  /** Headers of the calls it got. */
  heard: IncomingHttpHeaders[]
  close: () => void
}

export async function startEchoingGateway(): Promise<EchoingGateway> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      gateway.heard.push(request.headers)
      const body = Buffer.concat(chunks).toString("utf8")
      // Authentication first: what is shown of a message may be its beginning only.
      const { authorization, ...headers } = request.headers
      const quote = [authorization, ...Object.values(headers), request.url, body].flat().join(" ")
      answer(response, gateway.echo, quote)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const gateway: EchoingGateway = {
    baseUrl: `http://127.0.0.1:${String(port)}/v1`,
    echo: "400",
    heard: [],
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return gateway
}

function answer(response: ServerResponse, echo: Echo, quote: string): void {
  const json = (status: number, body: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  }
  const envelope = { data: null, message: quote, successful: false, is_successful: false }
  switch (echo) {
    case "404 of another server":
      json(404, { message: quote, error: quote })
      return
    case "false flag":
      json(200, envelope)
      return
    case "no flag":
      json(200, { data: { [quote]: quote }, message: quote })
      return
    case "wrong types":
      json(200, { data: { [quote]: quote }, message: quote, successful: quote, is_successful: quote })
      return
    case "cut off":
      response.writeHead(200, { "content-type": "application/json" }).end(`{"message":"${quote}`)
      return
    case "HTML":
      response.writeHead(403, { "content-type": "text/html" }).end(`<h1>Refused</h1><pre>${quote}</pre>`)
      return
    case "redirect":
      response
        .writeHead(302, { location: `http://127.0.0.1:1/?${encodeURIComponent(quote)}` })
        .end(`Moved: ${quote}`)
      return
    case "no HTTP":
      response.socket?.end(`${quote.replaceAll("\n", " ")}\r\n\r\n${quote}`)
      return
    case "records":
      json(200, {
        data: { asset: quote, value: quote, locked: quote, payment_request_id: quote, amount: quote },
        pagination: { total_count: quote, page_count: quote, page_size: quote },
        message: quote,
        successful: true,
        is_successful: true,
      })
      return
    default:
      json(Number(echo), envelope)
  }
}
