import { decimal, displayDecimal } from "../decimal"
import { toVisibleRecord, type Payment } from "../payment"
import type { Delivery, SandboxState } from "../state"
import { copyButton } from "./copy"
import { faultsBox } from "./faults-box"
import { pageFrame } from "./frame"
import { markup, Markup } from "./markup"
import { outcome } from "./tools-box"
import { deliveryWord, fill, WORDS, type Language, type Words } from "./words"

const MOST_SHOWN = 50

/** @param isAsked whether the address names the language; then links keep it */
export function overviewPage(state: SandboxState, language: Language, isAsked = false): string {
  const words = WORDS[language]
  const other: Language = language === "ar" ? "en" : "ar"
  const query = isAsked ? `?lang=${language}` : ""
  const payments = [...state.payments.values()].reverse().slice(0, MOST_SHOWN)
  const deliveries = state.deliveries.slice(-MOST_SHOWN).reverse()
  return pageFrame({
    language,
    title: words.sandbox,
    bar: markup`<span class="badge">${words.testMode}</span><p>${words.noRealMoneyHere}</p>
<nav><a href="?lang=${other}" lang="${other}" hreflang="${other}">${words.otherLanguage}</a> <a href="/${query}">${words.refresh}</a></nav>`,
    body: markup`<main class="wide"><h1>${words.sandbox}</h1>
<section class="card"><dl class="addresses">
${address(words.baseUrl, `${state.url}/v1`, words)}
${state.webhookUrl === undefined ? markup`<dt>${words.notificationsTo}</dt><dd>${words.nowhere}</dd>` : address(words.notificationsTo, state.webhookUrl, words)}
${address(words.controlApi, `${state.url}/control/`, words)}</dl></section>
${faultsBox(state, words, language)}
<section class="card"><div><h2>${words.requests} (${state.payments.size})</h2>${paymentTable(payments, words, query)}</div></section>
<section class="card"><div><h2>${words.recent} (${state.deliveries.length})</h2>${deliveryTable(deliveries, words, query)}</div></section>
</main>`,
  })
}

const address = (name: string, value: string, words: Words): Markup =>
  markup`<dt>${name}</dt><dd><bdi dir="ltr">${value}</bdi> ${copyButton(value, name, words)}</dd>`

function paymentTable(payments: Payment[], words: Words, query: string): Markup {
  if (payments.length === 0) {
    return markup`<p class="fine">${fill(words.noRequests, { path: "/v1/api/payments" })}</p>`
  }
  return table(
    [words.created, words.amount, words.status, words.payerEmail, words.note, words.paymentPage],
    payments.map((payment) => {
      const seen = toVisibleRecord(payment).payment_status
      return [
        markup`<bdi class="num" dir="ltr">${time(payment.createdAt)}</bdi>`,
        markup`<bdi class="num" dir="ltr">${displayDecimal(decimal(payment.amount), 2, 8)} ${payment.currencySymbol}</bdi>`,
        markup`<span class="status ${payment.status === "PAID" && "PAID"}">${payment.status}</span>${seen !== payment.status && ` ${fill(words.readsSay, { status: seen })}`}`,
        markup`<bdi>${payment.payerEmailAddress}</bdi>`,
        markup`<bdi>${payment.note}</bdi>`,
        linkTo(payment.id, query, words),
      ]
    })
  )
}

function deliveryTable(deliveries: Delivery[], words: Words, query: string): Markup {
  if (deliveries.length === 0) {
    return markup`<p class="fine">${words.none}</p>`
  }
  return table(
    ["#", words.says, words.why, words.answered, words.tries, words.request],
    deliveries.map((each) => [
      markup`<span class="num">${each.id}</span>`,
      markup`${each.status}`,
      markup`${deliveryWord(each.reason, words)}`,
      outcome(each, words),
      markup`<span class="num">${each.attempts.length}</span>`,
      linkTo(each.payment_request_id, query, words),
    ])
  )
}

/** On a narrow screen each row becomes a block, with the names of the columns before the values. */
const table = (columns: readonly string[], rows: readonly Markup[][]): Markup =>
  markup`<table><thead><tr>${columns.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    (cells) =>
      markup`<tr>${cells.map((cell, index) => markup`<td data-name="${columns[index]}">${cell}</td>`)}</tr>`
  )}</tbody></table>`

const linkTo = (id: string, query: string, words: Words): Markup =>
  markup`<a href="/pay/${id}${query}"><code dir="ltr">${id}</code></a> ${copyButton(id, words.request, words)}`

const time = (iso: string): string => iso.slice(0, 19).replace("T", " ")
