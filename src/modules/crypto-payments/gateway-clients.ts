import { GatewayClient, GatewayRejected, GatewayError, type PaymentRequest } from "../../gateway"
import type { Logger } from "@medusajs/framework/types"
import { describeGatewayError } from "./errors"
import type { Failure, SettlementLedger } from "./ledger/settlement-ledger"
import type { CryptoPaymentRequestRow } from "./models/crypto-payment-request"
import type { ProviderSettings } from "./settings/provider-settings"
import type { SettingsRegistry } from "./settings/settings-registry"

/** What a check of one row gave: the row as it now is, and whether the gateway could be read. */
export interface CheckedRow {
  row: CryptoPaymentRequestRow
  failure: Failure | null
}

/** One client per provider, made anew when its settings change. */
export class GatewayClients {
  private readonly clients = new Map<string, { settings: ProviderSettings; client: GatewayClient }>()

  constructor(
    private readonly settings: SettingsRegistry,
    private readonly ledger: SettlementLedger,
    private readonly logger: Logger
  ) {}

  /** @throws MedusaError (400) when the provider is not configured */
  async get(providerId: string): Promise<GatewayClient> {
    const settings = await this.settings.require(providerId)
    const known = this.clients.get(providerId)
    if (known?.settings === settings) {
      return known.client
    }
    await known?.client.close()
    const client = new GatewayClient({
      baseUrl: settings.baseUrl,
      auth: settings.auth,
      secretKey: settings.secretKeys[0],
      timeoutMs: settings.timeoutMs,
      ...(settings.paymentLinkHosts === undefined ? {} : { paymentLinkHosts: settings.paymentLinkHosts }),
    })
    this.clients.set(providerId, { settings, client })
    return client
  }

  /**
   * Reads the request at the gateway and writes down what it says. A row whose PAID is recorded is not read again:
   * PAID is final, and one read is the truth of a decision.
   *
   * @param maxAgeMs how old a reading may be that serves as well; only where a stale one can lose nothing
   * @throws anything that is not a gateway error, such as a lost database
   */
  async check(row: CryptoPaymentRequestRow, maxAgeMs = 0): Promise<CheckedRow> {
    if (row.paid_at !== null || (row.failure === null && isYoungerThan(row.last_checked_at, maxAgeMs))) {
      return { row, failure: null }
    }
    try {
      return { row: await this.ledger.recordReading(row.id, await this.read(row)), failure: null }
    } catch (error) {
      if (!(error instanceof GatewayError)) {
        throw error
      }
      const failure = error instanceof GatewayRejected ? "refused" : "unreadable"
      if (row.failure !== failure) {
        // Once per outage and row, however often it is tried.
        this.logger.warn(
          `crypto payment ${row.id}: the gateway cannot be read (${describeGatewayError(error)})`
        )
      }
      return { row: await this.ledger.recordFailure(row.id, failure), failure }
    }
  }

  /** Reads the request where it was created, and nowhere else. @throws GatewayError */
  async read(row: CryptoPaymentRequestRow): Promise<PaymentRequest> {
    const resolution = await this.settings.resolve(row.provider_id)
    // A provider taken out of medusa-config, or moved to another origin, cannot be asked about its old requests.
    const isReadable = resolution?.configured && gatewayOrigin(resolution.settings) === row.gateway_origin
    if (row.payment_request_id === null || !isReadable) {
      throw new GatewayRejected(404, null)
    }
    const client = await this.get(row.provider_id)
    return await client.readPaymentRequest(row.payment_request_id)
  }

  async close(): Promise<void> {
    await Promise.all([...this.clients.values()].map(({ client }) => client.close()))
  }
}

/** Where a provider's requests are created; a row is read only at the origin it was created at. */
export function gatewayOrigin({ baseUrl }: ProviderSettings): string {
  return new URL(baseUrl).origin
}

function isYoungerThan(date: Date | null, ageMs: number): boolean {
  return date !== null && Date.now() - date.getTime() < ageMs
}
