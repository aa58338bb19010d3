import type { Payment } from "../payment"
import type { Delivery, SandboxState } from "../state"
import { markup, Markup } from "./markup"
import { deliveryWord, fill, plural, type Language, type Words } from "./words"

const MOST_SHOWN = 8

/** The developer's part of the page, separate from the payer's. */
export function toolsBox(state: SandboxState, payment: Payment, words: Words, language: Language): Markup {
  const sent = state.deliveries.filter((each) => each.payment_request_id === payment.id).slice(-MOST_SHOWN)
  const seconds = plural(language, state.settings.latePaymentMs / 1000, words.seconds)
  return markup`<aside class="tools" aria-labelledby="tools"><h2 id="tools"><span aria-hidden="true">⚗</span> ${words.tools}</h2>
<p>${words.toolsText}</p>
${forgedNotice(sent, payment, words, language)}
${
  payment.paid === null &&
  markup`<form method="post" action="?lang=${language}">
${tool("late", words.late, fill(words.lateText, { seconds }))}
${tool("part", words.part, words.partText)}
${tool("twice", words.twice, words.twiceText)}
${tool("out_of_order", words.disorder, words.disorderText)}
${tool("lost", words.lost, words.lostText)}
${tool("too_little", words.tooLittle, words.tooLittleText)}
${tool("too_much", words.tooMuch, words.tooMuchText)}
${tool("other_currency", words.otherCurrency, words.otherCurrencyText)}
${tool("forge", words.forge, words.forgeText)}
</form>`
}
<h3>${words.notifications}</h3>
${sent.length === 0 ? markup`<p>${words.noNotifications}</p>` : markup`<ul class="log">${sent.map((each) => line(each, words))}</ul>`}
<p class="fine"><a href="/?lang=${language}">${words.overview}</a></p></aside>`
}

/** The result of forged notifications: the payment is as unpaid as before. */
function forgedNotice(
  sent: readonly Delivery[],
  payment: Payment,
  words: Words,
  language: Language
): Markup | false {
  const forged = sent.filter(({ reason }) => reason.startsWith("forged"))
  const answers = forged.flatMap(({ attempts }) => attempts.at(-1)?.http_status ?? [])
  const rejected = answers.filter((status) => status >= 400).length
  const said = answers.length === 0 ? words.forgedUnanswered : plural(language, rejected, words.forgedNotice)
  return (
    forged.length > 0 &&
    markup`<p class="result" role="status">${said} ${payment.paid === null && words.nothingPaid}</p>`
  )
}

const tool = (action: string, name: string, text: string): Markup =>
  markup`<button class="tool" name="action" value="${action}"><b>${name}</b><small>${text}</small></button>`

const line = (delivery: Delivery, words: Words): Markup =>
  markup`<li><span><bdi>${delivery.status}</bdi> · ${deliveryWord(delivery.reason, words)}</span>${outcome(delivery, words)}</li>`

/** The result of a delivery: a word or a status code. */
export function outcome(delivery: Delivery, words: Words): Markup {
  const last = delivery.attempts.at(-1)
  const said = last
    ? (last.http_status ?? fill(words.unanswered, { error: last.error ?? "" }))
    : deliveryWord(delivery.state, words)
  const kind = delivery.state === "delivered" ? "ok" : delivery.state === "failed" ? "bad" : ""
  const tries = delivery.attempts.length > 1 ? ` (${delivery.attempts.length}×)` : ""
  return markup`<bdi class="${kind}">${said}${tries}</bdi>`
}
