import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { resolveLedger } from "../../../../modules/crypto-payments"
import type { PayPage } from "../../../../modules/crypto-payments/pay-pages/page-state"
import { queryStore } from "../../../../modules/crypto-payments/store-query"
import { LANGUAGES, PROBLEMS, type Language, type Problem } from "../../../../pay-page/texts"
import { NOT_FOUND, PAGE_HEADERS, renderPage } from "../../../../pay-page/view"
import { warn } from "../../../../workflows/core/settling"
import { offerPaymentLink } from "../../../../workflows/offer-payment-link"

/** What the page says of a refusal, by its code: null where its own state says it. Of any other, to try again. */
const SAID_OF: Partial<Record<string, Problem | null>> = {
  already_paid: null,
  nothing_to_pay: null,
  refused: "refused",
  not_accepted: "refused",
  email_missing: "email",
  email_invalid: "email",
}

/**
 * The pay page of an order, for whoever has its address: the shop's name, the order's number, what is owed now, and its
 * state. It asks no gateway and writes nothing, so scanners of mails and previews of links cost reads alone.
 *
 * 200 · 404 for a token that opens nothing, or nothing any more
 */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  // Express brings HEAD here too. Scanners of mails send it, and one statement answers them.
  if (req.method === "HEAD") {
    const isFound = await resolveLedger(req.scope).payPages.opens(req.params["token"] ?? "")
    res
      .set(PAGE_HEADERS)
      .status(isFound ? 200 : 404)
      .type("html")
      .end()
    return
  }
  await show(req, res, await readPage(req))
}

/**
 * Leads to the payment link for what the order owes at this moment: the open one, or a new one. A form on another site
 * can do no more than that. What the body says is ignored.
 *
 * 303 to the link, or back to the page, which says why there is none · 404 as above
 */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const page = await readPage(req)
  if (page === undefined) {
    await show(req, res, page)
    return
  }
  const { state } = page
  const isPayable =
    ["to_pay", "part"].includes(state.kind) || (state.kind === "confirming" && state.can_continue)
  const location = isPayable ? await linkOf(req, page) : backTo(req)
  res.set(PAGE_HEADERS).status(303).location(location).end()
}

async function readPage({ scope, params }: MedusaRequest): Promise<PayPage | undefined> {
  return await resolveLedger(scope).payPages.read(params["token"] ?? "")
}

async function show(req: MedusaRequest, res: MedusaResponse, page: PayPage | undefined): Promise<void> {
  const html = renderPage({
    ...(page ?? NOT_FOUND),
    language: languageOf(req),
    shop: page === undefined ? null : await readShopName(),
    problem: PROBLEMS.find((problem) => problem === req.query["problem"]) ?? null,
  })
  res
    .set(PAGE_HEADERS)
    .status(page === undefined ? 404 : 200)
    .type("html")
    .send(html)
}

/** @returns the address of the payment link, or of the page with why there is none */
async function linkOf(req: MedusaRequest, { order_id, provider_id }: PayPage): Promise<string> {
  const wanted = { orderId: order_id, providerId: provider_id, byPayer: true }
  try {
    return (await offerPaymentLink(req.scope, wanted)).payment_link
  } catch (error) {
    const { code = "" } = Object(error) as { code?: string }
    const { [code]: problem = "later" } = SAID_OF
    // What the gateway refused, the issuer has logged.
    if (!(error instanceof MedusaError)) {
      warn(req.scope, `crypto payments: the pay page of order ${order_id} gave no payment link`, error)
    }
    return backTo(req, problem)
  }
}

/** The page itself, whatever a proxy calls it: a query alone keeps the address that the browser has. */
function backTo({ query }: MedusaRequest, problem: Problem | null = null): string {
  const lang = asLanguage(query["lang"])
  return `?${String(new URLSearchParams({ ...(lang && { lang }), ...(problem && { problem }) }))}`
}

/** As the address asks, else as the browser does. */
function languageOf(req: MedusaRequest): Language {
  return asLanguage(req.query["lang"]) ?? asLanguage(req.acceptsLanguages([...LANGUAGES])) ?? LANGUAGES[0]
}

function asLanguage(asked: unknown): Language | undefined {
  return LANGUAGES.find((language) => language === asked)
}

async function readShopName(): Promise<string> {
  const [store] = await queryStore<{ name: string | null }>("store", ["name"], {})
  return store?.name ?? ""
}
