import { readBody, Refused, send } from "../http"
import type { Exchange } from "../state"
import { pressFaultButton } from "./faults-box"
import { PAGE_HEADERS, pageFrame } from "./frame"
import { markup } from "./markup"
import { overviewPage } from "./overview-page"
import { paymentPage } from "./payment-page"
import { pressButton } from "./press-button"
import { chooseLanguage, WORDS, type Language } from "./words"

/** The index at `/` and the hosted payment page at `/pay/<id>`. */
export async function answerPage({ state, request, response, url }: Exchange): Promise<void> {
  const page = (status: number, body: string) => {
    send(response, status, "text/html; charset=utf-8", body, PAGE_HEADERS)
  }
  const reading = request.method === "GET" || request.method === "HEAD"
  const language = chooseLanguage(url.searchParams.get("lang"), request.headers["accept-language"])
  if (url.pathname === "/" && reading) {
    page(200, overviewPage(state, language, url.searchParams.has("lang")))
    return
  }
  if (url.pathname === "/" && request.method === "POST") {
    pressFaultButton(state, new URLSearchParams(await readBody(request)))
    send(response, 303, "text/plain", "", { location: `/${url.search}` })
    return
  }
  const payment = state.payments.get(/^\/pay\/([^/]+)$/.exec(url.pathname)?.[1] ?? "")
  if (!payment) {
    page(404, notFoundPage(language))
    return
  }
  if (reading) {
    page(200, paymentPage(state, payment, language))
    return
  }
  if (request.method !== "POST") {
    throw new Refused(405, "GET or POST")
  }
  const body = new URLSearchParams(await readBody(request))
  const next = await pressButton(state, payment, body.get("action") ?? "")
  send(response, 303, "text/plain", "", { location: next ?? `${url.pathname}${url.search}` })
}

function notFoundPage(language: Language): string {
  const words = WORDS[language]
  return pageFrame({
    language,
    title: words.notFound,
    bar: markup`<span class="badge">${words.testMode}</span>`,
    body: markup`<main class="wide"><h1>${words.notFound}</h1>
<p>${words.notFoundText} <a href="/?lang=${language}">${words.overview}</a></p></main>`,
  })
}
