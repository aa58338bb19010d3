import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { IEventBusModuleService, Logger } from "@medusajs/framework/types"
import { MedusaService } from "@medusajs/framework/utils"
import { GatewayError, type GatewayClient, type PaymentRequest } from "../../gateway"
import type { AttentionReason } from "../../decision"
import { PAID_ANOTHER_WAY } from "./payment-requests/links"
import { Audits } from "./audit/audits"
import { checkWebhook, type WebhookCheck } from "./health/check-webhook"
import { alreadyPaidError, describeError, describeMissingProvider, providerMissingError } from "./errors"
import { CryptoPaymentEvents, emitEvent } from "./events"
import { GatewayAccounts } from "./gateway-accounts"
import { GatewayClients, gatewayOrigin, type CheckedRow } from "./gateway-clients"
import { describeGatewayProblem, type GatewayProblem } from "./gateway-problem"
import { readHealth, type Health } from "./health/health"
import { listProvidersWithPayments } from "./health/providers-with-payments"
import { PaymentLinkIssuer, type LinkInput } from "./payment-requests/issue-payment-link"
import { addActivity, type TimelineDetail } from "./payment-requests/timeline"
import { Announcements } from "./payment-requests/announcements"
import { ChangedOrders } from "./payment-requests/changed-orders"
import {
  leaseForCompletion,
  releaseCompletion,
  type CompletionLease,
} from "./payment-requests/completion-lease"
import {
  readBalances,
  readSettlementFacts,
  type CollectionState,
  type SettlementFacts,
} from "./payment-requests/core-facts"
import type { OrderBalance } from "./payment-requests/order-balance"
import { readCompletionBar, type CompletionBar } from "./payment-requests/guard-facts"
import { PaymentRequestQueue, type LeasedRow } from "./payment-requests/queue"
import { PaymentLinks } from "./payment-requests/links"
import { ListLedger } from "./reconciliation/list-store"
import { ProviderStatusLedger } from "./health/provider-status"
import { ReturnChecks } from "./payment-requests/return-checks"
import { RunningSettles } from "./payment-requests/running-settles"
import { RefundLedger } from "./refunds/refund-store"
import { SearchLedger } from "./reports/search"
import { readSessionStatus, type SessionStatusRow } from "./payment-requests/session-status"
import {
  deleteSession,
  findSessionsOfMissingProviders,
} from "./payment-requests/sessions-of-missing-providers"
import { PaymentRequestStore } from "./payment-requests/store"
import { Sweeps } from "./payment-requests/sweeps"
import {
  knowsTimeZone,
  readSettlements,
  type SettlementQuery,
  type SettlementRow,
  type SettlementTotal,
} from "./reports/settlement-report"
import { CryptoPaymentActivity, type ActivityType } from "./models/crypto-payment-activity"
import { CryptoPaymentAudit } from "./models/crypto-payment-audit"
import { CryptoPaymentConnection } from "./models/crypto-payment-connection"
import { CryptoPaymentProviderStatus } from "./models/crypto-payment-provider-status"
import { CryptoPaymentRefund } from "./models/crypto-payment-refund"
import { CryptoPaymentRequest, type CryptoPaymentRequestRow } from "./models/crypto-payment-request"
import { CryptoPaymentSettings } from "./models/crypto-payment-settings"
import { CryptoPaymentSweep } from "./models/crypto-payment-sweep"
import { OrderLinks, type OfferedLink, type PayableOrder } from "./payment-requests/order-links"
import { findUnlinkedOrders, type UnlinkedOrder } from "./payment-requests/unlinked-orders"
import { isReservationLost } from "./payment-requests/unreserved-orders"
import type { SettingsResolution } from "./settings/provider-settings"
import type { ConfigModuleLike } from "./settings/registrations"
import { SettingsDesk } from "./settings/settings-desk"
import { SettingsRegistry } from "./settings/settings-registry"
import { SettingsStore } from "./settings/settings-store"

interface InjectedDependencies {
  __pg_connection__: Knex
  event_bus: IEventBusModuleService
  configModule: ConfigModuleLike
  logger: Logger
}

/**
 * How long settles that are in core may take to end when the store is told to stop. Kubernetes kills after 30 seconds,
 * and some of them pass before, while the requests that are being answered end.
 */
const STOP_WITHIN_MS = 20_000

/** The ledger of payment requests, the resolved settings, and the way to the gateway. */
export default class CryptoPaymentsModuleService extends MedusaService({
  CryptoPaymentRequest,
  CryptoPaymentActivity,
  CryptoPaymentRefund,
  CryptoPaymentSettings,
  CryptoPaymentConnection,
  CryptoPaymentProviderStatus,
  CryptoPaymentSweep,
  CryptoPaymentAudit,
}) {
  readonly audits: Audits
  readonly links: PaymentLinks
  readonly lists: ListLedger
  readonly requests: PaymentRequestStore
  readonly queue: PaymentRequestQueue
  readonly sweeps: Sweeps
  readonly changedOrders: ChangedOrders
  readonly runningSettles = new RunningSettles()
  private readonly returnChecks = new ReturnChecks()
  readonly announcements: Announcements
  readonly refunds: RefundLedger
  readonly search: SearchLedger
  readonly statuses: ProviderStatusLedger
  readonly desk: SettingsDesk
  private readonly settings: SettingsRegistry
  private readonly gateways: GatewayClients
  private readonly accounts: GatewayAccounts
  private readonly issuer: PaymentLinkIssuer
  private readonly orderLinks: OrderLinks
  private readonly timeZones = new Map<string, boolean>()
  private readonly knex: Knex
  private readonly eventBus: IEventBusModuleService
  private readonly logger: Logger
  private readonly config: ConfigModuleLike

  constructor(container: InjectedDependencies) {
    super(container)
    this.knex = container.__pg_connection__
    this.eventBus = container.event_bus
    this.logger = container.logger
    this.config = container.configModule
    this.audits = new Audits({
      knex: this.knex,
      eventBus: this.eventBus,
      logger: this.logger,
      listProviders: async () => await this.listProviders(),
    })
    this.links = new PaymentLinks(this.knex)
    this.lists = new ListLedger(this.knex)
    this.requests = new PaymentRequestStore(this.knex)
    this.queue = new PaymentRequestQueue(this.knex)
    this.sweeps = new Sweeps(this.knex)
    this.changedOrders = new ChangedOrders(this.knex)
    this.announcements = new Announcements(this.knex, this.eventBus, this.logger)
    this.refunds = new RefundLedger(this.knex)
    this.search = new SearchLedger(this.knex)
    this.statuses = new ProviderStatusLedger(this.knex)
    const store = new SettingsStore(this.knex)
    this.settings = new SettingsRegistry(container.configModule, store)
    this.desk = new SettingsDesk(this.settings, store)
    this.accounts = new GatewayAccounts(this.knex)
    this.gateways = new GatewayClients(this.settings, this.requests, this.accounts, this.logger)
    this.issuer = new PaymentLinkIssuer({
      knex: this.knex,
      settings: this.settings,
      gateways: this.gateways,
      accounts: this.accounts,
      links: this.links,
      requests: this.requests,
      requestCheck: async (id) => await this.requestCheck(id),
      logger: this.logger,
    })
    this.orderLinks = new OrderLinks({
      knex: this.knex,
      gateways: this.gateways,
      links: this.links,
      requestCheck: async (id) => await this.requestCheck(id),
    })
  }

  /** An orderly stop waits for the settles that run; then idle connections to the gateway are given back. */
  __hooks = {
    onApplicationPrepareShutdown: async (): Promise<void> => {
      await this.runningSettles.stop(STOP_WITHIN_MS, async (lease) => {
        await this.handOverLeased(lease)
      })
    },
    onApplicationShutdown: async (): Promise<void> => {
      await this.gateways.close()
    },
  }

  /** @returns undefined when medusa-config registers no such provider */
  async resolveSettings(providerId: string): Promise<SettingsResolution | undefined> {
    return await this.settings.resolve(providerId)
  }

  /**
   * The keys that a notification about a row of each provider may be signed with: its own, and those of the connections
   * its rows still need.
   *
   * @returns by the id of each registered provider; an empty list when nothing of it can be verified
   */
  async listNotificationKeys(): Promise<Map<string, string[]>> {
    return new Map(
      (await this.settings.list()).map(({ effective: { registration, resolution }, former }) => [
        registration.providerId,
        [
          ...(resolution.configured ? resolution.settings.secretKeys : []),
          ...former.flatMap(({ secretKeys }) => secretKeys),
        ],
      ])
    )
  }

  /** The same for one provider. @returns undefined when medusa-config registers no such provider */
  async notificationKeys(providerId: string): Promise<string[] | undefined> {
    return (await this.listNotificationKeys()).get(providerId)
  }

  /** @see SettingsRegistry.reread */
  async rereadSettings(): Promise<void> {
    await this.settings.reread()
  }

  /** Ids of the providers medusa-config registers. */
  async listProviders(): Promise<string[]> {
    return await this.settings.listRegistered()
  }

  /** Ids of the providers that have payments here, whether or not medusa-config registers them. */
  async listProvidersWithPayments(): Promise<string[]> {
    return await listProvidersWithPayments(this.knex)
  }

  /** @throws MedusaError 400 `provider_missing` when medusa-config does not register the provider of a row */
  async requireProvider(row: Pick<CryptoPaymentRequestRow, "provider_id">): Promise<void> {
    if (await this.gateways.isProviderMissing(row)) {
      throw providerMissingError(row.provider_id)
    }
  }

  /** Ids of the providers that have all they need. */
  async listConfiguredProviders(): Promise<string[]> {
    return await this.settings.listConfigured()
  }

  /**
   * A provider's client for the gateway, the origin of its address, and the account its ledger rows are kept by.
   *
   * @throws MedusaError (400) when the provider is not configured
   */
  async openGateway(providerId: string): Promise<{ client: GatewayClient; origin: string; account: string }> {
    const origin = gatewayOrigin(await this.settings.require(providerId))
    const account = await this.accounts.of(providerId, origin)
    return { client: await this.gateways.get(providerId), origin, account }
  }

  /** @see PaymentLinkIssuer.issue */
  async issuePaymentLink(input: LinkInput): Promise<CryptoPaymentRequestRow> {
    return await this.issuer.issue(input)
  }

  /** @see PaymentLinkIssuer.refusePaidCollection */
  async refusePaidCollection(collectionId: string): Promise<void> {
    await this.issuer.refusePaidCollection(collectionId)
  }

  /** @see PaymentLinkIssuer.refuseWhatCannotSucceed */
  async refuseWhatCannotSucceed(
    collectionId: string,
    providerId: string
  ): Promise<CollectionState | undefined> {
    return await this.issuer.refuseWhatCannotSucceed(collectionId, providerId)
  }

  /**
   * Deletes the sessions of a collection whose provider medusa-config does not register. Core asks the provider for each
   * session that it deletes, so with one of these the payer could not choose any other way to pay. Their links are let go
   * and still watched, as when a gateway does not answer.
   *
   * @throws MedusaError 400 when one is paid already
   */
  async letGoOfMissingProviders(collectionId: string): Promise<void> {
    const left = await findSessionsOfMissingProviders(this.knex, collectionId, await this.listProviders())
    if (left.some(({ is_paid }) => is_paid)) {
      throw alreadyPaidError()
    }
    for (const { session_id, request_id } of left) {
      await deleteSession(this.knex, session_id)
      if (request_id !== null) {
        await this.links.withdraw(request_id, session_id)
      }
    }
  }

  /** @see GatewayClients.check */
  async checkGateway(row: CryptoPaymentRequestRow, lease?: LeasedRow): Promise<CheckedRow> {
    return await this.gateways.check(row, lease)
  }

  /** The gateway's record of a row as it is now, only to be looked at: nothing is written down or decided. */
  async readGatewayRecord(
    id: string
  ): Promise<{ record: PaymentRequest | null; problem: GatewayProblem | null }> {
    const row = await this.requests.find(id)
    if (row !== undefined && (await this.gateways.isProviderMissing(row))) {
      const message = describeMissingProvider(row.provider_id)
      return { record: null, problem: { problem: "provider_missing", message } }
    }
    if (row === undefined || row.payment_request_id === null) {
      return { record: null, problem: null }
    }
    try {
      return { record: await this.gateways.read(row), problem: null }
    } catch (error) {
      if (error instanceof GatewayError) {
        return { record: null, problem: describeGatewayProblem(error) }
      }
      throw error
    }
  }

  /** What the set-up checklist shows, but for the regions. */
  async readHealth(): Promise<Health> {
    return await readHealth(this.knex, this.config, this.settings, {
      statuses: this.statuses,
      audits: this.audits,
    })
  }

  /** @see checkWebhook @returns undefined when medusa-config registers no such provider */
  async checkWebhook(providerId: string): Promise<WebhookCheck | undefined> {
    const state = await this.settings.state(providerId)
    return state && (await checkWebhook(state.effective, this.statuses))
  }

  /** @see knowsTimeZone. Postgres reads a file for each zone it has, so an answer is kept. */
  async knowsTimeZone(name: string): Promise<boolean> {
    const known = this.timeZones.get(name.toLowerCase()) ?? (await knowsTimeZone(this.knex, name))
    // The runtime knows some hundred names, which were asked for before.
    this.timeZones.set(name.toLowerCase(), known)
    return known
  }

  /** @see readSettlements */
  async readSettlements(
    query: SettlementQuery
  ): Promise<{ settlements: SettlementRow[]; totals: SettlementTotal[] }> {
    return await readSettlements(this.knex, query)
  }

  /** @see readSettlementFacts */
  async readSettlementFacts(requestId: string): Promise<SettlementFacts> {
    return await readSettlementFacts(this.knex, requestId, await this.listProviders())
  }

  /** What each of these orders owes, as core calls it. @see readOrderBalances */
  async readOrderBalances(orderIds: readonly string[]): Promise<Map<string, OrderBalance>> {
    return await readBalances(this.knex, orderIds)
  }

  /** @see findUnlinkedOrders */
  async findUnlinkedOrders(cartId: string): Promise<UnlinkedOrder[]> {
    return await findUnlinkedOrders(this.knex, cartId)
  }

  /** @see isReservationLost */
  async isReservationLost(cartId: string, orderId: string): Promise<boolean> {
    return await isReservationLost(this.knex, cartId, orderId)
  }

  /** Why a cart must not become an order, if so. */
  async readCompletionBar(cartId: string): Promise<CompletionBar | null> {
    return await readCompletionBar(this.knex, cartId)
  }

  /** The database's time, by which everything is dated and compared. */
  async databaseNow(): Promise<Date> {
    return await this.lists.now()
  }

  /** @see leaseForCompletion */
  async leaseForCompletion(cartId: string): Promise<CompletionLease> {
    return await leaseForCompletion(this.knex, cartId)
  }

  /** @see releaseCompletion */
  async releaseCompletion(cartId: string, leaseId: string): Promise<string[]> {
    return await releaseCompletion(this.knex, cartId, leaseId)
  }

  /** @see OrderLinks.refuseWhilePaid */
  async refuseWhilePaid(orderId: string, what: "cancel" | "delete"): Promise<boolean> {
    return await this.orderLinks.refuseWhilePaid(orderId, what)
  }

  /** @see OrderLinks.check */
  async checkLinksOfOrder(orderId: string, maxAgeMs?: number): Promise<CheckedRow[]> {
    return await this.orderLinks.check(orderId, maxAgeMs)
  }

  /** @see OrderLinks.findOffered */
  async findOfferedOfOrder(orderId: string): Promise<OfferedLink | undefined> {
    return await this.orderLinks.findOffered(orderId)
  }

  /** @see OrderLinks.findPayable */
  async findPayable(orderId: string): Promise<PayableOrder | undefined> {
    return await this.orderLinks.findPayable(orderId)
  }

  /** @see OrderLinks.withdraw */
  async withdrawLinksOfOrder(orderId: string): Promise<void> {
    await this.orderLinks.withdraw(orderId)
  }

  /** How long a provider lets an order stay unpaid, in milliseconds; null without a limit. */
  async unpaidOrderTtlMs(providerId: string): Promise<number | null> {
    const resolution = await this.settings.resolve(providerId)
    if (!resolution?.configured || resolution.settings.orderPlacement !== "before_payment") {
      return null
    }
    const minutes = resolution.settings.unpaidOrderTtlMinutes
    return minutes === undefined ? null : minutes * 60_000
  }

  /** Makes a row due and asks for a settle now; if that is lost, the next tick does it. */
  async requestCheck(id: string): Promise<void> {
    await this.queue.requestCheck(id)
    await this.askForSettle(id)
  }

  /** This process is about to end: asks for the row to be settled by another one. Asked once; then the next tick does it. */
  async handOver(id: string): Promise<void> {
    if (this.runningSettles.mayHandOver(id)) {
      await this.requestCheck(id)
    }
  }

  /** Gives back a row that this process holds, due now. @see handOver */
  async handOverLeased(lease: LeasedRow): Promise<void> {
    await this.queue.releaseFailed(lease, 0)
    await this.handOver(lease.id)
  }

  /** @see readSessionStatus; of an order that stands and is not paid by it, also whether it was paid another way */
  async readSessionStatus(sessionId: string): Promise<SessionStatusRow | undefined> {
    const row = await readSessionStatus(this.knex, sessionId)
    if (row === undefined || row.paid_at !== null || row.placed_order_id === null) {
      return row
    }
    const { order_id, order_canceled, paid_by_another } = await this.readSettlementFacts(row.id)
    return { ...row, is_paid_another_way: order_id !== null && !order_canceled && paid_by_another }
  }

  /** Stops offering links whose order was paid another way. They are still watched. @returns their ids */
  async withdrawLinksOfPaidOrders(): Promise<string[]> {
    const withdrawn: string[] = []
    for (const { id, session_id } of await this.sweeps.listLinksOfPaidOrders()) {
      const { order_canceled, paid_by_another } = await this.readSettlementFacts(id)
      if (paid_by_another && !order_canceled) {
        await this.links.withdraw(id, session_id, PAID_ANOTHER_WAY)
        withdrawn.push(id)
      }
    }
    return withdrawn
  }

  /**
   * A payer looks at the return page: a payment of which nothing is known yet is made due, unless it was checked a moment
   * ago or visitors have caused enough checks in this minute.
   *
   * @returns whether it is due now, for the caller to settle it
   */
  async makeReturnedDue(row: Pick<SessionStatusRow, "id" | "is_stale">): Promise<boolean> {
    return (
      row.is_stale && (await this.returnChecks.take(async () => await this.queue.makeReturnedDue(row.id)))
    )
  }

  /** Asks for a settle of a row that is due. When the event cannot be sent, the next tick settles the row. */
  private async askForSettle(id: string): Promise<void> {
    try {
      await emitEvent(this.eventBus, CryptoPaymentEvents.CHECK_REQUESTED, { id })
    } catch (error) {
      this.logger.warn(`crypto payment ${id}: it is settled by the next tick (${describeError(error)})`)
    }
  }

  /** Adds a line to the timeline; `detail` holds no payer data. */
  async addActivity(
    requestId: string,
    type: ActivityType,
    detail: Record<string, string | null> = {}
  ): Promise<void> {
    await addActivity(this.knex, requestId, type, detail)
  }

  /** Opens a case, once per reason, and announces it. `detail` is added to its entry in the timeline. */
  async openCase(
    { id }: Pick<CryptoPaymentRequestRow, "id">,
    reason: AttentionReason,
    detail: TimelineDetail = {}
  ): Promise<void> {
    const row = await this.requests.openCase(id, reason, detail)
    if (row !== undefined) {
      await this.announcements.send(row)
    }
  }
}
