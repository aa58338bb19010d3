import { GatewayClient, GatewayRejected, GatewayError, type PaymentRequest } from "../../gateway"
import type { Logger } from "@medusajs/framework/types"
import { describeGatewayError } from "./errors"
import type { LeasedRow } from "./payment-requests/queue"
import type { Failure, PaymentRequestStore } from "./payment-requests/store"
import type { CryptoPaymentRequestRow } from "./models/crypto-payment-request"
import type { FormerConnection, ProviderSettings } from "./settings/provider-settings"
import type { SettingsRegistry } from "./settings/settings-registry"

/** What a check of one row gave: the row as it now is, and whether the gateway could be read. */
export interface CheckedRow {
  row: CryptoPaymentRequestRow
  failure: Failure | null
  /** The gateway answered that there is no such request, so nobody can pay it. Any other refusal leaves that open. */
  isUnknownToGateway?: boolean
}

/** What a gateway answers about a request that it does not know. */
const UNKNOWN_STATUSES: readonly number[] = [404, 410]

/** Longer than any call: a client that was replaced is closed when nobody can be about to use it. */
const CLOSE_AFTER_MS = 60_000

/** One client per provider and origin, made anew when its settings change. */
export class GatewayClients {
  private readonly clients = new Map<
    string,
    { settings: ProviderSettings | FormerConnection; client: GatewayClient }
  >()
  private readonly replaced = new Set<GatewayClient>()

  constructor(
    private readonly settings: SettingsRegistry,
    private readonly requests: PaymentRequestStore,
    private readonly logger: Logger
  ) {}

  /** @throws MedusaError (400) when the provider is not configured */
  async get(providerId: string): Promise<GatewayClient> {
    const settings = await this.settings.require(providerId)
    return this.open(providerId, settings, {
      timeoutMs: settings.timeoutMs,
      ...(settings.paymentLinkHosts === undefined ? {} : { paymentLinkHosts: settings.paymentLinkHosts }),
    })
  }

  private open(
    key: string,
    settings: ProviderSettings | FormerConnection,
    more: { timeoutMs?: number; paymentLinkHosts?: readonly string[] } = {}
  ): GatewayClient {
    const known = this.clients.get(key)
    if (known?.settings === settings) {
      return known.client
    }
    const { baseUrl, auth, secretKeys } = settings
    const client = new GatewayClient({ baseUrl, auth, secretKey: secretKeys[0], ...more })
    this.clients.set(key, { settings, client })
    if (known !== undefined) {
      this.retire(known.client)
    }
    return client
  }

  private retire(client: GatewayClient): void {
    this.replaced.add(client)
    setTimeout(() => {
      this.replaced.delete(client)
      void client.close()
    }, CLOSE_AFTER_MS).unref()
  }

  /**
   * Reads the request at the gateway and writes down what it says. A row whose PAID is recorded is not read again:
   * PAID is final, and one read is the truth of a decision.
   *
   * @param lease of the settle that asks, which then holds for what is written
   * @throws anything that is not a gateway error, such as a lost database; LeaseLost
   */
  async check(row: CryptoPaymentRequestRow, lease?: LeasedRow): Promise<CheckedRow> {
    if (row.paid_at !== null) {
      return { row, failure: null }
    }
    try {
      return { row: await this.requests.recordReading(row.id, await this.read(row), lease), failure: null }
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
      return {
        row: await this.requests.recordFailure(row.id, failure, lease),
        failure,
        isUnknownToGateway: error instanceof GatewayRejected && UNKNOWN_STATUSES.includes(error.httpStatus),
      }
    }
  }

  /** The same, unless the row was read a moment ago: only where that can lose nothing. */
  async checkUnlessJustRead(row: CryptoPaymentRequestRow, maxAgeMs: number): Promise<CheckedRow> {
    const isFresh = row.failure === null && (await this.requests.isReadSince(row.id, maxAgeMs))
    return isFresh ? { row, failure: null } : await this.check(row)
  }

  /** Reads the request where it was created, and nowhere else. @throws GatewayError */
  async read(row: CryptoPaymentRequestRow): Promise<PaymentRequest> {
    const client = await this.clientFor(row)
    if (row.payment_request_id === null || client === undefined) {
      throw new GatewayRejected(404, null)
    }
    return await client.readPaymentRequest(row.payment_request_id)
  }

  /** The way to the origin of a row, also to one the provider has left; undefined when it is not known (any more). */
  private async clientFor(row: CryptoPaymentRequestRow): Promise<GatewayClient | undefined> {
    const state = await this.settings.state(row.provider_id)
    const resolution = state?.effective.resolution
    if (resolution?.configured && gatewayOrigin(resolution.settings) === row.gateway_origin) {
      return await this.get(row.provider_id)
    }
    const former = state?.former.find(({ origin }) => origin === row.gateway_origin)
    return former && this.open(`${row.provider_id} ${former.origin}`, former)
  }

  async close(): Promise<void> {
    const current = [...this.clients.values()].map(({ client }) => client)
    await Promise.all([...current, ...this.replaced].map((client) => client.close()))
  }
}

/** Where a provider's requests are created; a row is read only at the origin it was created at. */
export function gatewayOrigin({ baseUrl }: ProviderSettings): string {
  return new URL(baseUrl).origin
}
