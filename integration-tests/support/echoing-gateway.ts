import type { IncomingHttpHeaders } from "node:http"
import { startServer } from "./http-server"

const JSON_TYPE = { "content-type": "application/json" }
const refusal = (quote: string) => ({ data: null, message: quote, successful: false, is_successful: false })

type Answer = [status: number, headers: Record<string, string>, body: unknown]

/** How it answers. Each of these answers contains what it was sent, wherever a text can be. */
const ANSWERS = {
  "400": (quote) => [400, JSON_TYPE, refusal(quote)],
  "401": (quote) => [401, JSON_TYPE, refusal(quote)],
  "404": (quote) => [404, JSON_TYPE, refusal(quote)],
  "404 of another server": (quote) => [404, JSON_TYPE, { message: quote, error: quote }],
  "422": (quote) => [422, JSON_TYPE, refusal(quote)],
  "500": (quote) => [500, JSON_TYPE, refusal(quote)],
  "false flag": (quote) => [200, JSON_TYPE, refusal(quote)],
  "no flag": (quote) => [200, JSON_TYPE, { data: { [quote]: quote }, message: quote }],
  "wrong types": (quote) => {
    const flags = { successful: quote, is_successful: quote }
    return [200, JSON_TYPE, { data: { [quote]: quote }, message: quote, ...flags }]
  },
  "cut off": (quote) => [200, JSON_TYPE, `{"message":"${quote}`],
  HTML: (quote) => [403, { "content-type": "text/html" }, `<h1>Refused</h1><pre>${quote}</pre>`],
  redirect: (quote) => [
    302,
    { location: `http://127.0.0.1:1/?${encodeURIComponent(quote)}` },
    `Moved: ${quote}`,
  ],
  "no HTTP": (quote) => [0, {}, `${quote.replaceAll("\n", " ")}\r\n\r\n${quote}`],
  records: (quote) => {
    const data = { asset: quote, value: quote, locked: quote, payment_request_id: quote, amount: quote }
    const pagination = { total_count: quote, page_count: quote, page_size: quote }
    return [200, JSON_TYPE, { ...refusal(quote), data, pagination, successful: true, is_successful: true }]
  },
} satisfies Record<string, (quote: string) => Answer>

export type Echo = keyof typeof ANSWERS
export const ECHOES = Object.keys(ANSWERS) as Echo[]

export type EchoingGateway = Awaited<ReturnType<typeof startEchoingGateway>>

/** A gateway, or something in front of it, that quotes the requests it gets: headers, path and body. */
export async function startEchoingGateway() {
  /** `heard` has the headers of the calls it got. */
  const gateway = { echo: "400" as Echo, heard: [] as IncomingHttpHeaders[] }
  const { url, close } = await startServer((request, body, response) => {
    gateway.heard.push(request.headers)
    // Authentication first: what is shown of a message may be its beginning only.
    const { authorization, ...headers } = request.headers
    const quote = [authorization, ...Object.values(headers), request.url, body.toString()].flat().join(" ")
    const [status, headersBack, answer] = ANSWERS[gateway.echo](quote)
    const text = typeof answer === "string" ? answer : JSON.stringify(answer)
    if (status === 0) {
      response.socket?.end(text)
    } else {
      response.writeHead(status, headersBack).end(text)
    }
  })
  return Object.assign(gateway, { baseUrl: `${url}/v1`, close })
}
