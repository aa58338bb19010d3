import { createHash } from "node:crypto"
import type { PageItem, PageState, PayPage } from "../modules/crypto-payments/pay-pages/page-state"
import { SCRIPT } from "./refresh"
import { STYLE } from "./style"
import { LANGUAGES, TEXTS, type Language, type Problem } from "./texts"

/** What a pay page shows. */
export interface ShownPage extends Pick<PayPage, "display_id" | "items" | "shop_url"> {
  language: Language
  /** The store's name; null where the page is of no order. */
  shop: string | null
  state: PageState | { kind: "not_found" }
  /** Why no payment link could be given a moment ago. */
  problem: Problem | null
}

/** Of a token that opens nothing, or nothing any more. */
export const NOT_FOUND = {
  display_id: null,
  items: [],
  shop_url: null,
  state: { kind: "not_found" },
} as const

const MOST_ITEMS = 20
const MOST_OF_TITLE = 80

/**
 * Nothing but this page's own style and script runs on it, by their digests. It has no `form-action`: browsers apply
 * that to the redirect after the form too, and a payment link may have any host.
 */
const POLICY = [
  "default-src 'none'",
  `style-src '${digest(STYLE)}'`,
  `script-src '${digest(SCRIPT)}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** Of each page, and of each redirect: the address itself opens the page, so it goes nowhere. */
export const PAGE_HEADERS = {
  "Cache-Control": "no-store",
  "X-Robots-Tag": "noindex",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
}

/** @returns the whole page, which needs nothing else: no script, no font, no other request */
export function renderPage(page: ShownPage): string {
  const { language, shop, display_id, state, problem } = page
  const texts = TEXTS[language]
  const order = display_id === null ? texts.noOrder : texts.order(`#${String(display_id)}`)
  const title = [order, shop].flatMap((name) => name ?? []).join(" · ")
  const others = LANGUAGES.filter((other) => other !== language).map(
    (other) => `<a href="?lang=${other}" lang="${other}" hreflang="${other}">${TEXTS[other].name}</a>`
  )
  const isArriving =
    ["confirming", "part"].includes(state.kind) || (state.kind === "to_pay" && state.has_link)
  return `<!doctype html>
<html lang="${language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<p><bdi>${escape(shop ?? "")}</bdi></p>
<nav aria-label="${texts.languages}">${others.join(" ")}</nav>
</header>
<main>
<div class="card">
<h1>${order}</h1>
<div id="state" role="status" data-refresh="${String(isArriving)}">${describe(state, language, problem)}${
    isArriving ? `<noscript><p>${texts.reload}</p></noscript>` : ""
  }</div>
<div id="action">${describeAction(page)}</div>
<div id="items">${describeItems(page)}</div>
</div>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`
}

/** The button to pay, or where nothing can be paid now, the way back to the shop. */
function describeAction({ state, language, shop_url }: ShownPage): string {
  const button = buttonOf(state, language)
  if (button !== null) {
    return `<form method="post"><button>${button}</button></form>`
  }
  return shop_url !== null ? `<p><a href="${escape(shop_url)}">${TEXTS[language].shop}</a></p>` : ""
}

function describeItems({ items, language }: ShownPage): string {
  const left = items.length - MOST_ITEMS
  const lines = items.slice(0, MOST_ITEMS).map((item) => `<li>${describeItem(item, language)}</li>`)
  const more = left > 0 ? `<li>${TEXTS[language].more(left)}</li>` : ""
  return items.length === 0 ? "" : `<ul>${lines.join("")}${more}</ul>`
}

/** Titles are any text, of any length. */
function describeItem({ title, quantity, amount, currency_code }: PageItem, language: Language): string {
  const shown = [...title].slice(0, MOST_OF_TITLE).join("")
  return `<bdi>${quantity} × ${escape(shown)}</bdi> ${formatAmount(amount, currency_code, language)}`
}

function buttonOf(state: ShownPage["state"], language: Language): string | null {
  const texts = TEXTS[language]
  if (state.kind === "part") {
    return texts.goOn
  }
  if (state.kind === "confirming") {
    return state.can_continue ? texts.goOn : null
  }
  return state.kind === "to_pay" ? texts.pay : null
}

function describe(state: ShownPage["state"], language: Language, problem: Problem | null): string {
  const texts = TEXTS[language]
  if (state.kind === "unavailable") {
    return `<h2>${texts.unavailable}</h2><p>${texts.obstacles[state.because]}</p>`
  }
  const { text, ...words } = texts.states[state.kind]
  const title = state.kind === "paid" && state.paid_at === null ? texts.nothing : words.title
  const amount =
    state.kind === "to_pay" || state.kind === "confirming"
      ? `<p class="amount">${formatAmount(state.amount, state.currency_code, language)}</p>`
      : ""
  const failed =
    problem !== null && buttonOf(state, language) !== null
      ? `<p class="problem">${texts.problems[problem]}</p>`
      : ""
  const payment = state.kind === "paid" ? describePayment(state, language) : ""
  return `<h2>${title}</h2>${amount}${failed}<p>${text}</p>${payment}`
}

function describePayment(
  { paid_at, reference }: Extract<PageState, { kind: "paid" }>,
  language: Language
): string {
  const texts = TEXTS[language]
  const entries = [
    [texts.paidOn, paid_at && formatTime(paid_at, language)],
    [texts.reference, reference],
  ].flatMap(([name, value]) =>
    value ? [`<dt>${String(name)}</dt><dd><bdi>${escape(value)}</bdi></dd>`] : []
  )
  return entries.length === 0 ? "" : `<dl>${entries.join("")}</dl>`
}

/** The payer's country is not known, so the time names its zone. */
function formatTime(time: Date, language: Language): string {
  const { locale } = TEXTS[language]
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })
  return `${format.format(time)} UTC`
}

/** With the currency's code: a sign such as $ is that of many currencies. Core's codes need not be of ISO 4217. */
function formatAmount(amount: string, currency_code: string, language: Language): string {
  const format = new Intl.NumberFormat(TEXTS[language].locale, { minimumFractionDigits: 2 })
  // A text, because a number is not exact; the type of the library knows only texts that are literals.
  return `<bdi>${format.format(amount as `${number}`)} ${escape(currency_code.toUpperCase())}</bdi>`
}

/** A shop's name and a gateway's reference are any text. */
function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`)
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`
}
