import { createHmac } from "node:crypto"
import { setTimeout as delay } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Logger } from "@medusajs/framework/types"
import type { MedusaError } from "@medusajs/framework/utils"
import {
  amountsEqual,
  hasPart,
  hasUnknownWord,
  isEndWord,
  isReported,
  isRestAwaited,
  REFUSED_PATIENCE_MS,
  toRequestedMoney,
  recordedStatus,
} from "../../../decision"
import {
  GatewayError,
  GatewayMalformed,
  GatewayUnavailable,
  type CurrencySymbol,
  type PaymentRequest,
  readPaymentLink,
} from "../../../gateway"
import {
  alreadyPaidError,
  completionBlockedError,
  describeGatewayError,
  invalidData,
  linkUnreadError,
  notAllowed,
  notFound,
  partArrivedError,
  refusesContent,
  toMedusaError,
  underReviewError,
  undefinedOnUniqueViolation,
} from "../errors"
import { toCheckoutFailure } from "../health/provider-status"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { isPaused } from "../paused"
import type { ProviderSettings } from "../settings/effective-settings"
import type { LinkKey } from "./links"
import { payerEmail, refuseOutsideLimits, refuseWithoutNeed } from "./refuse-unpayable"
import {
  readCollectionFacts,
  readPayer,
  readSessionFacts,
  type CollectionFacts,
  type Payer,
  type SessionFacts,
} from "./session-facts"
import { isReportedOfSame, isUnderReview } from "./session-status"
import type { PayPages } from "../pay-pages/pay-pages"
import type { ProviderStatusStore } from "../health/provider-status"
import type { GatewayClients } from "../gateway-clients"
import type { SettingsRegistry } from "../settings/settings-registry"
import type { ReplacedCompletion } from "../health/replaced-completion"
import type { CartCompletions } from "./cart-completion"
import type { PaymentLinks } from "./links"
import type { PaymentRequestQueue } from "./queue"
import type { PaymentRequestStore } from "./store"

/** What the issuer needs of the module. */
interface IssuerParts {
  links: PaymentLinks
  requests: PaymentRequestStore
  queue: PaymentRequestQueue
  payPages: PayPages
  completions: CartCompletions
  replacedCompletion: ReplacedCompletion
  gateways: GatewayClients
  settings: SettingsRegistry
  statuses: ProviderStatusStore
}

const POLL_MS = 50
/**
 * The route's guard has just read the link's status: recent enough to offer the link again. If it is paid in between,
 * the money still settles, on the session the link is then bound to.
 */
const JUST_READ_MS = 2000

/** `amount` with two decimals, in major units of `currencySymbol`. */
export interface LinkInput {
  sessionId: string
  amount: string
  currencySymbol: CurrencySymbol
  /**
   * Core asks again for the session of this request: it had deleted the session, and could not create the other one.
   * Only core can set this: the routes drop what a client sends.
   */
  deletedRequestId?: string | undefined
}

interface Attempt {
  key: LinkKey
  input: LinkInput
  facts: SessionFacts
  payer: Payer & { email: string }
  settings: ProviderSettings
}

/** Gives a payment session its payment link: the open one of the same payer and amount, or a new one. */
export class PaymentLinkIssuer {
  constructor(
    private readonly knex: Knex,
    private readonly logger: Logger,
    private readonly ledger: IssuerParts
  ) {}

  /**
   * @returns the row now bound to the session, `open`
   * @throws MedusaError 400 when the provider is not configured, the payer has no e-mail, it is already paid, or
   *   another request for the same cart does not end; 500 when the gateway fails, with a sentence to show
   */
  async issue(input: LinkInput): Promise<CryptoPaymentRequestRow> {
    refuseShopperWhilePaused()
    const facts = await readSessionFacts(this.knex, input.sessionId)
    if (facts === undefined) {
      throw notFound("The payment session does not exist.")
    }
    refuseWithoutNeed(facts)
    return (await this.takeUp(input, facts)) ?? (await this.offer(input, facts))
  }

  /** Binds waiting money, or the link of a session that core brings back. Needs neither the gateway nor payer data. */
  private async takeUp(
    { sessionId, amount, currencySymbol, deletedRequestId }: LinkInput,
    { provider_id, payment_collection_id, cart_id, order_id }: SessionFacts
  ): Promise<CryptoPaymentRequestRow | undefined> {
    const key = { provider_id, payment_collection_id, amount, currency_code: currencySymbol.toLowerCase() }
    const paid = await this.ledger.links.adoptPaid({ ...key, cart_id, order_id }, sessionId)
    if (paid !== undefined) {
      await this.ledger.queue.requestSettle(paid.id)
      return paid
    }
    return deletedRequestId === undefined
      ? undefined
      : await this.ledger.links.bind({ ...key, payment_request_id: deletedRequestId }, sessionId)
  }

  private async offer(input: LinkInput, facts: SessionFacts): Promise<CryptoPaymentRequestRow> {
    const settings = await this.requireSettings(facts.provider_id, facts)
    const payer = await this.requirePayer(facts)
    refuseOutsideLimits(settings, input, facts)
    const key: LinkKey = {
      provider_id: facts.provider_id,
      gateway_origin: settings.origin,
      payment_collection_id: facts.payment_collection_id,
      amount: input.amount,
      currency_code: input.currencySymbol.toLowerCase(),
      payer_digest: settings.reuse_open_links ? payerDigest(payer.email, settings.secret_keys[0]) : null,
    }
    const deadline = Date.now() + settings.timeout_ms
    const over: string[] = []
    while (Date.now() < deadline) {
      const existing = settings.reuse_open_links ? await this.ledger.links.findReusable(key, over) : undefined
      if (existing?.state === "creating") {
        await delay(POLL_MS)
        continue
      }
      if (existing !== undefined && !(await this.isStillPayable(existing, settings))) {
        over.push(existing.id)
        continue
      }
      const row =
        existing === undefined
          ? await this.create({ key, input, facts, payer, settings })
          : await this.ledger.links.bind({ id: existing.id }, input.sessionId)
      if (row !== undefined) {
        return row
      }
      await delay(POLL_MS)
    }
    throw notAllowed("A payment link is being created by another request. Try again in a moment.")
  }

  /**
   * @returns false when another link is needed. The old one is still checked; only one that the gateway itself does not
   *   know is closed
   * @throws MedusaError when it is paid, or when nobody can say and another link would fail as well
   */
  async isStillPayable(existing: CryptoPaymentRequestRow, settings: ProviderSettings): Promise<boolean> {
    const { requests, gateways } = this.ledger
    // A reading is used again only where that can lose nothing.
    const isFresh = existing.failure === null && (await requests.isReadSince(existing.id, JUST_READ_MS))
    const checked = isFresh ? existing : await gateways.check(existing)
    await this.refuseWhatIsPaid(checked)
    await this.refuseWhileGatewayFails(checked, settings)
    // The merchant may have named other hosts since. With PENDING, somebody is paying at this moment.
    const link = readPaymentLink(checked.payment_link ?? "", settings.payment_link_hosts ?? undefined)
    const isRefusedHost = link === undefined && recordedStatus(checked) !== "PENDING"
    // A part of it was sent back by hand. The gateway may count it all the same, and take the rest for everything.
    const isPartDealtWith = hasPart(checked) && !isRestAwaited(checked)
    if (checked.failure === null && !isEndWord(checked) && !isRefusedHost && !isPartDealtWith) {
      return true
    }
    refuseBesidePart(checked)
    await (checked.failure === "unknown_to_gateway" && !hasUnknownWord(checked)
      ? requests.giveUp(existing.id)
      : this.ledger.links.retire(existing.id))
    return false
  }

  /**
   * Refuses what cannot succeed before core deletes the collection's session and creates another: a paid collection; an
   * order that is cancelled, deleted, owes nothing or has an authorized payment; a currency that the gateway does not
   * take; no e-mail; a provider that is not configured; an open link that is paid or cannot be read; a cart outside the
   * limits.
   *
   * @returns what the collection and a link of it may ask for; undefined if it does not exist, which core reports
   * @throws MedusaError 400; 500 when the gateway fails, with a sentence to show
   */
  async assertPayable(collectionId: string, providerId: string): Promise<CollectionFacts | undefined> {
    refuseShopperWhilePaused()
    const state = await readCollectionFacts(this.knex, collectionId)
    if (state === undefined) {
      return undefined
    }
    refuseWithoutNeed(state)
    if (state.is_partly_paid) {
      // What was sent back in part of a cart leaves no rest to pay: no order comes of it.
      const block =
        state.cart_id === null ? null : await this.ledger.completions.readCompletionBlock(state.cart_id)
      // Core would delete the paid session, which is refused.
      const message =
        "A part of this is paid already. The rest has a payment link of its own: ask the shop for it."
      throw block === null ? notAllowed(message, "partly_paid") : completionBlockedError(block)
    }
    if (state.is_authorized) {
      // Core would delete the session of the other payment, and its provider would void that payment.
      throw notAllowed(
        "Another payment of this is authorized. Do not pay again. To pay in another way, ask the shop for a payment link.",
        "payment_authorized"
      )
    }
    const settings = await this.requireSettings(providerId, state)
    const money = toRequestedMoney(state.link_amount, state.currency_code)
    await this.requirePayer(state)
    await this.refusePaidCollection(collectionId, settings)
    const { amount, currencySymbol } = money
    const asked = { payment_collection_id: collectionId, amount, currency_code: currencySymbol.toLowerCase() }
    if (await isReportedOfSame(this.knex, asked)) {
      throw alreadyPaidError()
    }
    // Last: a payer who has paid already must not be told to pay another way.
    refuseOutsideLimits(settings, money, state)
    return state
  }

  /** @throws MedusaError 400 without a valid e-mail address */
  private async requirePayer(facts: CollectionFacts): Promise<Payer & { email: string }> {
    const payer = await readPayer(facts)
    return { ...payer, email: payerEmail({ ...payer, order_id: facts.order_id }) }
  }

  /** @throws MedusaError 400 in a shopper's words, also without a provider; the admin shows what is missing */
  private async requireSettings(
    providerId: string,
    { order_id }: Pick<CollectionFacts, "order_id">
  ): Promise<ProviderSettings> {
    const effective = await this.ledger.settings.find(providerId)
    if (effective?.isConfigured) {
      // An order needs no completion any more.
      if (order_id === null && !(await this.ledger.replacedCompletion.mayComplete(effective.registration))) {
        throw notAvailable("completion_replaced")
      }
      return effective
    }
    // The client sends the provider's id: nothing is stored under an unknown one.
    if (effective !== undefined) {
      await this.ledger.statuses.noteFailed(providerId, { code: "not_configured", host: null })
    }
    throw notAvailable("not_configured")
  }

  /**
   * While the gateway fails, nothing can be created and nobody knows whether the payer's link is paid (500). A gateway
   * that refuses to read one link prevents another link for an hour only.
   */
  private async refuseWhileGatewayFails(
    row: CryptoPaymentRequestRow,
    { providerId, origin }: ProviderSettings
  ): Promise<void> {
    const { failure, failing_since, last_checked_at, provider_id, gateway_origin } = row
    const refusedForMs = (last_checked_at?.getTime() ?? 0) - (failing_since?.getTime() ?? Infinity)
    const isOfThisGateway = provider_id === providerId && gateway_origin === origin
    if (failure === "unreadable") {
      await this.ledger.statuses.noteFailed(providerId, { code: "gateway_unavailable", host: null })
      throw linkUnreadError("unreachable")
    }
    if (failure === "refused" && isOfThisGateway && refusedForMs < REFUSED_PATIENCE_MS) {
      await this.ledger.statuses.noteFailed(providerId, { code: "gateway_refused", host: null })
      throw linkUnreadError("refused")
    }
  }

  /**
   * Before core deletes the collection's sessions.
   *
   * @throws MedusaError 400 when the collection's link turns out to be paid, and is settled then, or to be paid in part;
   *   with `settings`, also while their gateway fails
   */
  async refusePaidCollection(collectionId: string, settings?: ProviderSettings): Promise<void> {
    const offered = await this.ledger.links.findOffered(collectionId)
    if (offered !== undefined) {
      const checked = await this.ledger.gateways.check(offered)
      await this.refuseWhatIsPaid(checked)
      refuseBesidePart(checked)
      await (settings && this.refuseWhileGatewayFails(checked, settings))
    }
  }

  private async refuseWhatIsPaid(row: CryptoPaymentRequestRow): Promise<void> {
    if (row.paid_at !== null || isReported(row)) {
      await this.ledger.queue.requestSettle(row.id)
      throw isUnderReview(row) ? underReviewError() : alreadyPaidError()
    }
  }

  private async create(attempt: Attempt): Promise<CryptoPaymentRequestRow | undefined> {
    const { cart_id, order_id } = attempt.facts
    const session_id = attempt.input.sessionId
    // Whoever has asked: all payers of an order that has a pay page share its link.
    const page = order_id === null ? undefined : await this.ledger.payPages.addressOf(order_id)
    const link = { ...attempt.key, session_id, cart_id, order_id }
    const reserved = await this.ledger.links.insertCreating(link, attempt.settings.remind_after_minutes)
    if (reserved === undefined) {
      return undefined
    }
    const created = await this.createAtGateway(reserved, attempt, page)
    const opened = await undefinedOnUniqueViolation(this.ledger.links.open(reserved.id, created))
    if (opened === undefined) {
      // The gateway gave one id twice.
      await this.ledger.links.giveUpCreating(reserved.id)
      throw toMedusaError(new GatewayMalformed({ fields: ["data.payment_request_id"] }))
    }
    await this.ledger.statuses.noteWorked(attempt.settings.providerId)
    if (opened.state === "closed") {
      // The session was deleted, or the creation given up, meanwhile.
      throw notAllowed(
        "The cart or the order was changed while this payment link was created. Open the payment step again."
      )
    }
    return opened
  }

  private async createAtGateway(
    reserved: CryptoPaymentRequestRow,
    { input, payer, settings }: Attempt,
    page: string | undefined
  ): Promise<PaymentRequest> {
    try {
      const client = this.ledger.gateways.clientFor(settings)
      const needed = {
        currencySymbol: input.currencySymbol,
        amount: input.amount,
        successUrl: page ?? returnUrl(settings.success_url, input.sessionId, payer),
        failedUrl: page ?? returnUrl(settings.failed_url, input.sessionId, payer),
        payerEmailAddress: payer.email,
        note: input.sessionId,
      }
      const payerFirstName = displayName(payer.first_name)
      const payerLastName = displayName(payer.last_name)
      const created = await client
        .createPaymentRequest({ ...needed, payerFirstName, payerLastName })
        .catch(async (error: unknown) => {
          const isNamed = payerFirstName !== null || payerLastName !== null
          if (!isNamed || !(error instanceof GatewayError) || !refusesContent(error)) {
            throw error
          }
          try {
            return await client.createPaymentRequest(needed)
          } catch (second) {
            // The request may exist although it was refused, so its row stays.
            throw isUnsent(second) ? error : second
          }
        })
      const isRequested = created.currencySymbol.toUpperCase() === input.currencySymbol
      if (!isRequested || !amountsEqual(created.amount, input.amount)) {
        // Never shown to the payer, and checked under its id, unless another payment has that id.
        await undefinedOnUniqueViolation(this.ledger.links.giveUpCreating(reserved.id, created))
        throw new GatewayMalformed({ fields: ["data.amount", "data.currency_symbol"] })
      }
      return created
    } catch (error) {
      if (error instanceof GatewayError) {
        const reason = describeGatewayError(error)
        this.logger.warn(
          `crypto payment ${reserved.id}: session ${input.sessionId} got no payment link from ${settings.origin} (${reason})`
        )
        await this.ledger.statuses.noteFailed(settings.providerId, toCheckoutFailure(error))
      }
      const { links } = this.ledger
      await (isUnsent(error) ? links.forget(reserved.id) : links.giveUpCreating(reserved.id))
      throw toMedusaError(error)
    }
  }
}

function notAvailable(code: "not_configured" | "paused" | "completion_replaced"): MedusaError {
  return invalidData(
    "Crypto payments are not available in this shop at the moment. Choose another payment method.",
    code
  )
}

/** A second link would ask for the whole sum. */
function refuseBesidePart(row: CryptoPaymentRequestRow): void {
  if (isRestAwaited(row)) {
    throw partArrivedError()
  }
}

function refuseShopperWhilePaused(): void {
  if (isPaused()) {
    throw notAvailable("paused")
  }
}

/** Without a country the address loses that part of its path, and the shop chooses one. */
function returnUrl(template: string, sessionId: string, { country_code }: Payer): string {
  // Core takes any text for one.
  const country = /^[a-z]{2}$/i.test(country_code ?? "") ? String(country_code) : null
  return template
    .replaceAll("{session_id}", encodeURIComponent(sessionId))
    .replaceAll(country === null ? /\/?\{country_code\}/g : "{country_code}", country ?? "")
}

/** A payer's name as the gateway shows it: a single line of limited length. */
function displayName(name: string | null): string | null {
  const line = (name ?? "").replaceAll(/\p{Cc}+/gu, " ").trim()
  return [...line].slice(0, 100).join("") || null
}

/** The gateway certainly created nothing. */
function isUnsent(error: unknown): boolean {
  return error instanceof GatewayUnavailable && !error.outcomeUnknown
}

/** Recognizes the same payer without storing the e-mail. */
function payerDigest(emailAddress: string, key: string): string {
  return createHmac("sha256", key).update(`payer:${emailAddress.trim().toLowerCase()}`).digest("hex")
}
