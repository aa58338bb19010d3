import { decimal, displayDecimal } from "../decimal"
import type { Delivery } from "../delivery"
import { toVisibleRecord, type Payment } from "../payment"
import type { SandboxState } from "../state"
import { pageFrame } from "./frame"
import { markup, Markup } from "./markup"
import { outcome } from "./tools-box"

const MOST_SHOWN = 50

/** The developer's index: addresses, payment requests, recent notifications. */
export function overviewPage(state: SandboxState): string {
  const payments = [...state.payments.values()].reverse().slice(0, MOST_SHOWN)
  const deliveries = state.deliveries.slice(-MOST_SHOWN).reverse()
  return pageFrame({
    language: "en",
    title: "Sandbox gateway",
    bar: markup`<span class="badge">Test mode</span><p>No real money moves here.</p><nav><a href="/">Refresh</a></nav>`,
    body: markup`<main class="wide"><h1>Sandbox gateway</h1>
<section class="card"><dl class="addresses">
<dt>Base URL</dt><dd>${state.url}/v1</dd>
<dt>Notifications go to</dt><dd>${state.webhookUrl ?? "nowhere: start with --webhook, or POST /control/webhook"}</dd>
<dt>Control API</dt><dd>${state.url}/control/</dd></dl></section>
<section class="card"><div><h2>Payment requests (${state.payments.size})</h2>${paymentTable(payments)}</div></section>
<section class="card"><div><h2>Recent notifications (${state.deliveries.length})</h2>${deliveryTable(deliveries)}</div></section>
</main>`,
  })
}

function paymentTable(payments: Payment[]): Markup {
  if (payments.length === 0) {
    return markup`<p class="fine">None yet. They appear when a store creates one with POST ${"{base URL}"}/api/payments.</p>`
  }
  return markup`<div class="scroll"><table><thead><tr><th scope="col">Created</th><th scope="col">Amount</th><th scope="col">Status</th>
<th scope="col">Payer</th><th scope="col">Note</th><th scope="col">Payment page</th></tr></thead>
<tbody>${payments.map(paymentRow)}</tbody></table></div>`
}

function paymentRow(payment: Payment): Markup {
  const seen = toVisibleRecord(payment).payment_status
  return markup`<tr><td class="num">${time(payment.createdAt)}</td>
<td class="num">${displayDecimal(decimal(payment.amount), 2, 8)} ${payment.currencySymbol}</td>
<td><span class="status ${payment.status === "PAID" && "PAID"}">${payment.status}</span>${seen !== payment.status && ` reads say ${seen}`}</td>
<td class="any">${payment.payerEmailAddress}</td><td class="any">${payment.note}</td>
<td><a href="/pay/${payment.id}"><code>${payment.id}</code></a></td></tr>`
}

function deliveryTable(deliveries: Delivery[]): Markup {
  if (deliveries.length === 0) {
    return markup`<p class="fine">None yet.</p>`
  }
  return markup`<div class="scroll"><table><thead><tr><th scope="col">#</th><th scope="col">Says</th><th scope="col">Why</th>
<th scope="col">Receiver answered</th><th scope="col">Tries</th><th scope="col">Payment request</th></tr></thead>
<tbody>${deliveries.map(
    (
      each
    ) => markup`<tr><td class="num">${each.id}</td><td>${each.status}</td><td>${each.reason}</td><td class="any">${outcome(each)}</td>
<td class="num">${each.attempts.length}</td><td><a href="/pay/${each.payment_request_id}"><code>${each.payment_request_id}</code></a></td></tr>`
  )}</tbody></table></div>`
}

function time(iso: string): string {
  return iso.slice(11, 19)
}
