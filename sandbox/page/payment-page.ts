import { COINS, DEFAULT_COIN } from "../coins"
import { decimal, displayDecimal } from "../decimal"
import type { Payment } from "../payment"
import { quotePayment } from "../payment-actions"
import type { SandboxState } from "../state"
import { coinSign } from "./coin-sign"
import { copyButton } from "./copy"
import { pageFrame } from "./frame"
import { markup, Markup } from "./markup"
import { sampleAddress, sampleCode } from "./sample-reference"
import { toolsBox } from "./tools-box"
import { fill, WORDS, type Language, type Words } from "./words"

/** The payer's page. Works without scripts: every button except the copy buttons is a form. */
export function paymentPage(state: SandboxState, payment: Payment, language: Language): string {
  const words = WORDS[language]
  const other: Language = language === "ar" ? "en" : "ar"
  return pageFrame({
    language,
    title: fill(words.pageTitle, { merchant: state.merchantName }),
    bar: markup`<span class="badge">${words.testMode}</span><p>${words.noRealMoney}</p>
<nav><a href="?lang=${other}" lang="${other}" hreflang="${other}">${words.otherLanguage}</a></nav>`,
    body: markup`<div class="columns"><main class="card">${payment.paid ? paid(state, payment, words) : open(state, payment, words, language)}</main>
${toolsBox(state, payment, words, language)}</div>`,
  })
}

function open(state: SandboxState, payment: Payment, words: Words, language: Language): Markup {
  const selected = payment.selectedCoin ?? DEFAULT_COIN
  const facts = quotePayment(state, payment, selected)
  const coinAmount = displayDecimal(decimal(facts.paymentAmount), 2, 8)
  const fee = `${displayDecimal(decimal(facts.feeAmount), 2, 2)} ${payment.currencySymbol}`
  const address = sampleAddress(payment.id, selected)
  const label = markup`${fill(words.codeLabel, { amount: coinAmount, coin: selected })}`
  return markup`${payment.declinedAt !== null && noticeOf(words.declinedNotice)}
${payment.part !== null && noticeOf(words.partNotice)}
${summary(state, payment, words)}
<form method="post" action="?lang=${language}">
<h2 id="coin-choice">${words.chooseCoin}</h2>
<div class="coins" role="group" aria-labelledby="coin-choice">${COINS.map((coin) => coinButton(state, payment, coin, selected))}</div>
</form>
<div><div class="send">${sampleCode(`${address}:${facts.paymentAmount}`, label)}
<dl><div><dt class="label">${words.send}</dt><dd><bdi class="num" dir="ltr">${coinAmount} ${selected}</bdi> ${copyButton(coinAmount, words.send, words)}</dd></div>
<div><dt class="label">${words.toAddress}</dt><dd class="address" dir="ltr">${address}</dd><dd>${copyButton(address, words.toAddress, words)}</dd></div></dl></div>
<p class="fine">${facts.feePaidBy === "BUYER" ? fill(words.feeBuyer, { fee }) : words.feeMerchant} ${words.sampleOnly}</p></div>
<form class="actions" method="post" action="?lang=${language}">
<button class="button main" name="action" value="pay">${sentenceWithAmount(words.pay, coinAmount, selected)}</button>
<button class="button quiet" name="action" value="decline">${words.decline}</button>
</form>`
}

const noticeOf = (text: string): Markup => markup`<p class="notice" role="status">${text}</p>`

const summary = (state: SandboxState, payment: Payment, words: Words): Markup =>
  markup`<header><div class="who"><span class="avatar" aria-hidden="true">${[...state.merchantName][0] ?? ""}</span>
<div><span class="label">${words.payTo}</span><strong><bdi>${state.merchantName}</bdi></strong></div></div>
<div class="due"><span class="label">${payment.paid ? words.amountPaid : words.amountDue}</span><h1><bdi class="num" dir="ltr">${displayDecimal(decimal(payment.amount), 2, 8)} <small>${payment.currencySymbol}</small></bdi></h1></div>
<dl class="facts"><div><dt>${words.payer}</dt><dd><bdi>${payment.payerEmailAddress}</bdi></dd></div>
${payment.note !== null && markup`<div><dt>${words.note}</dt><dd><bdi>${payment.note}</bdi></dd></div>`}</dl></header>`

function coinButton(
  state: SandboxState,
  payment: Payment,
  coin: (typeof COINS)[number],
  selected: string
): Markup {
  const amount = displayDecimal(decimal(quotePayment(state, payment, coin.symbol).paymentAmount), 2, 8)
  return markup`<button class="coin" name="action" value="coin:${coin.symbol}" aria-pressed="${String(coin.symbol === selected)}">
${coinSign(coin.symbol)}
<span><b>${coin.name}</b><bdi class="num" dir="ltr">${amount} ${coin.symbol}</bdi></span></button>`
}

const paid = (state: SandboxState, payment: Payment, words: Words): Markup =>
  markup`<div class="done" role="status"><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="12" cy="12" r="10"/><path d="m7.5 12.4 3 3 6-6.4"/></svg>
<h1>${words.paidTitle}</h1><p>${fill(words.paidText, { merchant: state.merchantName })}</p></div>
${summary(state, payment, words)}
<div><dl class="facts"><div><dt>${words.coinPaid}</dt><dd><bdi class="num" dir="ltr">${displayDecimal(decimal(payment.paid?.paymentAmount ?? "0"), 2, 8)} ${payment.paid?.coin}</bdi></dd></div>
<div><dt>${words.reference}</dt><dd><bdi>${payment.paid?.refId}</bdi></dd></div></dl></div>
<div><a class="button main" href="${payment.ipnSuccessUrl}">${words.backToShop}</a></div>`

/** Keeps "0.01 BTC" left-to-right inside a right-to-left sentence. */
function sentenceWithAmount(sentence: string, amount: string, coin: string): Markup {
  const [before = "", after = ""] = sentence.split("{amount} {coin}")
  return markup`${before}<bdi class="num" dir="ltr">${amount} ${coin}</bdi>${after}`
}
