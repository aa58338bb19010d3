import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { IEventBusModuleService, Logger } from "@medusajs/framework/types"
import { Audits } from "./audit/audits"
import { GatewayClients } from "./gateway-clients"
import { HealthChecks } from "./health/health"
import { ProviderStatusStore } from "./health/provider-status"
import { Announcements } from "./payment-requests/announcements"
import { Checks } from "./payment-requests/checks"
import { CompletionLeases } from "./payment-requests/cart-completion"
import { Facts } from "./payment-requests/facts"
import { PaymentLinkIssuer } from "./payment-requests/issue-payment-link"
import { PaymentLinks } from "./payment-requests/links"
import { OrderLinks } from "./payment-requests/order-links"
import { PaymentRequestQueue } from "./payment-requests/queue"
import { RunningSettles } from "./payment-requests/running-settles"
import { SessionStatuses } from "./payment-requests/session-status"
import { PaymentRequestStore } from "./payment-requests/store"
import { Sweeps } from "./payment-requests/sweeps"
import { UnlinkedOrders } from "./payment-requests/unlinked-orders"
import { ListStore } from "./reconciliation/list-store"
import { ReconciliationRuns } from "./reconciliation/runs"
import { RefundStore } from "./refunds/refund-store"
import { PaymentSearch } from "./reports/search"
import { PaymentExports } from "./reports/payment-export"
import { SettlementReports } from "./reports/settlement-report"
import type { ConfigModuleLike } from "./settings/registrations"
import { SettingsEditor } from "./settings/settings-editor"
import { SettingsRegistry } from "./settings/settings-registry"
import { SettingsStore } from "./settings/settings-store"

interface InjectedDependencies {
  __pg_connection__: Knex
  event_bus: IEventBusModuleService
  configModule: ConfigModuleLike
  logger: Logger
}

/**
 * How long an orderly stop waits for settles that are in core. Kubernetes kills after 30 seconds, and some of them pass
 * before, while open requests are answered.
 */
const STOP_WITHIN_MS = 20_000

/** The module's parts, each with its own subject. Callers use the parts. */
export default class CryptoPaymentsModuleService {
  readonly announcements: Announcements
  readonly audits: Audits
  readonly checks: Checks
  readonly completions: CompletionLeases
  readonly exports: PaymentExports
  readonly facts: Facts
  readonly gateways: GatewayClients
  readonly health: HealthChecks
  readonly issuer: PaymentLinkIssuer
  readonly links: PaymentLinks
  readonly lists: ListStore
  readonly orderLinks: OrderLinks
  readonly queue: PaymentRequestQueue
  readonly reconciliations: ReconciliationRuns
  readonly refunds: RefundStore
  readonly requests: PaymentRequestStore
  readonly runningSettles = new RunningSettles()
  readonly search: PaymentSearch
  readonly sessions: SessionStatuses
  readonly settings: SettingsRegistry
  readonly settingsEditor: SettingsEditor
  readonly settlements: SettlementReports
  readonly statuses: ProviderStatusStore
  readonly sweeps: Sweeps
  readonly unlinkedOrders: UnlinkedOrders

  constructor(container: InjectedDependencies) {
    const { __pg_connection__: knex, event_bus: eventBus, configModule: config, logger } = container
    const settingsStore = new SettingsStore(knex)
    this.settings = new SettingsRegistry(config, settingsStore)
    this.settingsEditor = new SettingsEditor(this.settings, settingsStore)
    this.audits = new Audits(knex, eventBus, logger, this.settings)
    this.announcements = new Announcements(knex, eventBus, logger)
    this.completions = new CompletionLeases(knex)
    this.facts = new Facts(knex, this.settings)
    this.links = new PaymentLinks(knex)
    this.lists = new ListStore(knex)
    this.queue = new PaymentRequestQueue(knex)
    this.reconciliations = new ReconciliationRuns(knex)
    this.refunds = new RefundStore(knex)
    this.requests = new PaymentRequestStore(knex, this.announcements)
    this.search = new PaymentSearch(knex)
    this.settlements = new SettlementReports(knex)
    this.exports = new PaymentExports(knex, this.settlements)
    this.statuses = new ProviderStatusStore(knex, logger)
    this.sweeps = new Sweeps(knex, this.facts, this.links)
    this.unlinkedOrders = new UnlinkedOrders(knex)
    const { queue, lists, settings, links, requests, facts, statuses, audits, settingsEditor } = this
    this.sessions = new SessionStatuses(knex, facts, settings)
    this.health = new HealthChecks({ knex, config, settings, statuses, audits, settingsEditor })
    this.checks = new Checks(queue, lists, eventBus, logger)
    this.gateways = new GatewayClients(settings, requests, logger)
    const { checks, gateways } = this
    this.issuer = new PaymentLinkIssuer({
      knex,
      settings,
      gateways,
      links,
      requests,
      checks,
      completions: this.completions,
      checkoutFailures: statuses,
      logger,
    })
    this.orderLinks = new OrderLinks({ knex, gateways, links, facts, checks })
  }

  /** An orderly stop waits for the running settles, and then closes idle connections to the gateway. */
  __hooks = {
    onApplicationPrepareShutdown: async (): Promise<void> => {
      await this.runningSettles.stop(STOP_WITHIN_MS, async (leases) => {
        await this.checks.handOver(leases)
      })
    },
    onApplicationShutdown: async (): Promise<void> => {
      await this.gateways.close()
    },
  }
}
