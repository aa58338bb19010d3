import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { IEventBusModuleService, Logger } from "@medusajs/framework/types"
import { Audits } from "./checks/audits"
import { GatewayClients } from "./gateway-clients"
import { listBootProblems } from "./health/boot-warnings"
import { HealthChecks } from "./health/health"
import { ReplacedCompletion } from "./health/replaced-completion"
import { ProviderStatusStore } from "./health/provider-status"
import { PayPages, type StoreConfig } from "./pay-pages/pay-pages"
import { Announcements } from "./payment-requests/announcements"
import { AttentionCases } from "./payment-requests/attention-case"
import { CartCompletions } from "./payment-requests/cart-completion"
import { Facts } from "./payment-requests/read-facts"
import { Leases } from "./payment-requests/leases"
import { PaymentLinkIssuer } from "./payment-requests/issue-payment-link"
import { PaymentLinks } from "./payment-requests/links"
import { OrderLinks } from "./payment-requests/order-links"
import { PaymentRequestQueue } from "./payment-requests/queue"
import { RunningSettles } from "./payment-requests/orderly-stop"
import { SessionStatuses } from "./payment-requests/session-status"
import { PaymentRequestStore } from "./payment-requests/store"
import { Sweeps } from "./checks/sweeps"
import { ListComparison } from "./reconciliation/list-comparison"
import { ReconciliationRuns } from "./reconciliation/runs"
import { ReceivedMoney } from "./payment-requests/received-money"
import { RefundStore } from "./refunds/refund-store"
import { listOrderPayments, type OfOrders } from "./reports/payments-for-query"
import { ShownPayments } from "./reports/shown-payments"
import { PaymentExports } from "./reports/payment-export"
import { SettlementReports } from "./reports/settlement-report"
import type { ConfigModuleLike } from "./settings/registrations"
import { SettingsEditor } from "./settings/settings-editor"
import { SettingsRegistry } from "./settings/settings-registry"
import { SettingsStore } from "./settings/settings-store"
import { hasStoreQuery } from "./store-query"

interface InjectedDependencies {
  __pg_connection__: Knex
  event_bus: IEventBusModuleService
  configModule: ConfigModuleLike & StoreConfig
  logger: Logger
}

/**
 * How long an orderly stop waits for settles that are in core. Kubernetes kills after 30 seconds, and some of them pass
 * before, while open requests are answered.
 */
const STOP_WITHIN_MS = 20_000

/** So that the module's parts can be made of it where they are declared. */
class WithContainer {
  constructor(protected readonly container: InjectedDependencies) {}
}

/** The module's parts, each with its own subject. Callers use the parts; the one method is for Query. */
export default class CryptoPaymentsModuleService extends WithContainer {
  private readonly knex = this.container.__pg_connection__
  private readonly eventBus = this.container.event_bus
  private readonly logger = this.container.logger
  private readonly settingsStore = new SettingsStore(this.knex)

  readonly settings = new SettingsRegistry(this.container.configModule, this.settingsStore)
  readonly statuses = new ProviderStatusStore(this.knex, this.logger)
  readonly settingsEditor = new SettingsEditor(this.settings, this.settingsStore, this.statuses)
  readonly audits = new Audits(this.knex, this.eventBus, this.logger)
  readonly payPages = new PayPages(this.knex, this.container.configModule, this.settings)
  readonly announcements = new Announcements(
    this.knex,
    this.eventBus,
    this.logger,
    async (orderId, providerId) => await this.payPages.findAsked(orderId, providerId)
  )
  readonly cases = new AttentionCases(this.knex, this.announcements)
  readonly replacedCompletion = new ReplacedCompletion(this.container.configModule)
  readonly completions = new CartCompletions(this.knex)
  readonly facts = new Facts(this.knex, this.settings)
  readonly leases = new Leases(this.knex)
  readonly links = new PaymentLinks(this.knex)
  readonly lists = new ListComparison(this.knex)
  readonly money = new ReceivedMoney(this.knex)
  readonly queue = new PaymentRequestQueue(this.knex, this.eventBus, this.logger)
  readonly reconciliations = new ReconciliationRuns(this.knex)
  readonly refunds = new RefundStore(this.knex)
  readonly requests = new PaymentRequestStore(this.knex)
  readonly runningSettles = new RunningSettles()
  readonly shown = new ShownPayments(this.knex)
  readonly settlements = new SettlementReports(this.knex)
  readonly exports = new PaymentExports(this.knex, this.settlements)
  readonly sweeps = new Sweeps(this.knex)
  readonly sessions = new SessionStatuses(this.knex, this.facts)
  readonly health = new HealthChecks(this.knex, this.container.configModule, this)
  readonly gateways = new GatewayClients(this.settings, this.requests, this.logger)
  readonly issuer = new PaymentLinkIssuer(this.knex, this.logger, this)
  readonly orderLinks = new OrderLinks(this.knex, this)

  /** Under the name that Query calls for the read-only link of orders: `src/links`. */
  async list(filters: OfOrders = {}): Promise<Record<string, unknown>[]> {
    return await listOrderPayments(this.knex, filters)
  }

  __hooks = {
    onApplicationStart: async (): Promise<void> => {
      const { container, settings, requests } = this
      const problems = await listBootProblems(
        container.configModule,
        settings,
        await this.replacedCompletion.list(),
        requests
      )
      for (const { level, message } of problems) {
        this.logger[level](`medusa-payment-crypto: ${message}`)
      }
      if (!hasStoreQuery()) {
        this.logger.error(
          "medusa-payment-crypto: nothing can be paid, because the plugin has a copy of @medusajs/framework of its own. " +
            "Install the framework once, in the version of the store."
        )
      }
      await this.statuses.noteAddresses(this.settings)
    },
    /** An orderly stop waits for the running settles. */
    onApplicationPrepareShutdown: async (): Promise<void> => {
      await this.runningSettles.stop(STOP_WITHIN_MS)
    },
  }
}
