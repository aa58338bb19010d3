import { createHash, createHmac, randomBytes } from "node:crypto"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { BigNumberInput } from "@medusajs/framework/types"
import { generateEntityId, MathBN } from "@medusajs/framework/utils"
import { isMoreThan, toTwoDecimals } from "../../../decision"
import type { CryptoPaymentPageRow } from "../models/crypto-payment-page"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import {
  IS_AUTHORIZED,
  outstandingOf,
  readTotals,
  RECEIVED,
  type Total,
} from "../payment-requests/order-balance"
import { IDS_OF_ORDER, IS_CANCELED, IS_CRYPTO, REQUESTS } from "../payment-requests/request-sql"
import type { SettingsRegistry } from "../settings/settings-registry"
import { isPaused } from "../paused"
import { addressBelow } from "../settings/public-address"
import { toPageState, type FoundPage, type PageItem, type PayPage } from "./page-state"

const PAGES = "crypto_payment_page"

/** 256 bits as base64url. Nothing else is looked up. */
const TOKEN = /^[\w-]{43}$/

/** The parts of Medusa's resolved configuration that are read. */
export interface StoreConfig {
  admin?: { storefrontUrl?: string }
  projectConfig?: { http?: { cookieSecret?: string } }
}

interface PricedOrder extends Total {
  items?: { title: string; quantity: BigNumberInput; total: BigNumberInput }[]
}

/** Core reads the items anyway, to add them up. */
const ITEM_FIELDS = ["items.title", "items.quantity", "items.total"]

/** One row for each payment request of the order, the newest first; of an order without any, one row without an id. */
type FoundRow = FoundPage & (CryptoPaymentRequestRow | { id: null })

/**
 * The addresses of orders' pay pages. A token is an HMAC of the order's id and a random nonce, so the same address can
 * be given again, and who reads the database cannot make one. Its digest is stored, so an address that was sent stays
 * good when the key changes. `docs/adr/0026-the-pay-page.md` says why.
 */
export class PayPages {
  constructor(
    private readonly knex: Knex,
    private readonly config: StoreConfig,
    private readonly settings: SettingsRegistry
  ) {}

  /**
   * Makes the page of an order, or gives the page that it has another provider.
   *
   * @param reset whether the addresses that were given before end
   */
  async give(order_id: string, provider_id: string, reset: boolean): Promise<void> {
    const nonce = randomBytes(32).toString("hex")
    const address = { nonce, token_digests: [digestOf(this.tokenOf({ order_id, nonce }))] }
    const id = generateEntityId(undefined, "cppage")
    await this.knex(PAGES)
      .insert({ id, order_id, provider_id, ...address })
      .onConflict(this.knex.raw("(order_id) WHERE deleted_at IS NULL"))
      .merge({ provider_id, updated_at: this.knex.fn.now(), ...(reset ? address : {}) })
  }

  async find(order_id: string): Promise<CryptoPaymentPageRow | undefined> {
    return await this.knex<CryptoPaymentPageRow>(PAGES).where({ order_id }).whereNull("deleted_at").first()
  }

  /** @returns undefined for an order without a page, or while the store's public address is not known */
  async addressOf(orderId: string): Promise<string | undefined> {
    const page = await this.find(orderId)
    const publicUrl = page && (await this.publicUrl(page.provider_id))
    if (page === undefined || publicUrl == null) {
      return undefined
    }
    const token = this.tokenOf(page)
    const digest = digestOf(token)
    if (!page.token_digests.includes(digest)) {
      // The key has changed. The address of the former key stays good: it may be in somebody's mailbox.
      await this.knex(PAGES)
        .where({ id: page.id, nonce: page.nonce })
        .whereRaw("NOT token_digests @> ARRAY[?]::text[]", [digest])
        .update({ token_digests: this.knex.raw("token_digests || ?::text", [digest]) })
    }
    return addressBelow(publicUrl, `/crypto-payments/pay/${token}`)
  }

  /**
   * What a reminder asks for: what the order's page asks for. The page is made if there is none.
   *
   * @returns undefined when the page asks nobody to pay; without an address while the store's public one is not known
   */
  async findAsked(
    orderId: string,
    providerId: string
  ): Promise<{ amount: string; url: string | null } | undefined> {
    const url = await this.addressFor(orderId, providerId)
    const page = await this.find(orderId)
    const state = page && (await this.read(this.tokenOf(page)))?.state
    return state?.kind === "to_pay" ? { amount: state.amount, url: url ?? null } : undefined
  }

  /** Makes the page of an order that has none. @returns undefined while the store's public address is not known */
  async addressFor(orderId: string, providerId: string): Promise<string | undefined> {
    if ((await this.find(orderId)) === undefined) {
      await this.give(orderId, providerId, false)
    }
    return await this.addressOf(orderId)
  }

  /**
   * Asks no gateway and writes nothing, however often a page is opened.
   *
   * @returns undefined for a token that opens nothing, or nothing any more
   */
  async read(token: string): Promise<PayPage | undefined> {
    const rows = await this.findByToken(token)
    const [page] = rows
    if (page === undefined) {
      return undefined
    }
    const { page_order_id: order_id, page_provider_id: provider_id, display_id } = page
    const links = rows.filter((row) => row.id !== null)
    const order = (await readTotals<PricedOrder>("order", [order_id], ITEM_FIELDS)).get(order_id)
    const owed = order === undefined ? "0" : outstandingOf(order, page.received)
    const own = await this.settings.find(provider_id)
    const isOffered = !isPaused() && own?.isConfigured === true
    return {
      ...{ order_id, provider_id, display_id },
      state: toPageState(page, links, owed, isOffered),
      items: order !== undefined && own?.show_items === true ? toItems(order) : [],
      shop_url: [this.config.admin?.storefrontUrl, originOf(own?.success_url)].find(isWebAddress) ?? null,
    }
  }

  async opens(token: string): Promise<boolean> {
    return (await this.findByToken(token)).length > 0
  }

  /** In one statement. @returns no row for a token that opens nothing, or nothing any more */
  private async findByToken(token: string): Promise<FoundRow[]> {
    if (!TOKEN.test(token)) {
      return []
    }
    const { rows } = await this.knex.raw<{ rows: FoundRow[] }>(
      `SELECT r.*, page.order_id AS page_order_id, page.provider_id AS page_provider_id,
              o.display_id, o.currency_code AS order_currency_code, o.id IS NULL AS is_deleted,
              COALESCE(${IS_CANCELED}, false) AS is_canceled, COALESCE(o.status = 'archived', false) AS is_archived,
              EXISTS (SELECT 1 FROM order_payment_collection opc
                        JOIN payment p ON p.payment_collection_id = opc.payment_collection_id
                       WHERE opc.order_id = o.id AND opc.deleted_at IS NULL AND ${IS_AUTHORIZED})
                OR EXISTS (SELECT 1 FROM order_payment_collection opc
                             JOIN payment_session s ON s.payment_collection_id = opc.payment_collection_id
                            WHERE opc.order_id = o.id AND opc.deleted_at IS NULL AND s.deleted_at IS NULL
                              AND s.status = 'pending_authorization' AND NOT ${IS_CRYPTO("s.provider_id")}) AS is_authorized,
              ${RECEIVED()} AS received, now() AS database_now
         FROM ${PAGES} page
         LEFT JOIN "order" o ON o.id = page.order_id AND o.deleted_at IS NULL
         LEFT JOIN LATERAL (${IDS_OF_ORDER("page.order_id")}) own ON true
         LEFT JOIN ${REQUESTS} r ON r.id = own.id
        WHERE page.token_digests @> ARRAY[?]::text[] AND page.deleted_at IS NULL
        ORDER BY r.created_at DESC`,
      [digestOf(token)]
    )
    return rows
  }

  /** Of the page's provider; when medusa-config does not register it any more, of another one. */
  private async publicUrl(providerId: string): Promise<string | null | undefined> {
    const all = await this.settings.list()
    return (all.find((one) => one.providerId === providerId) ?? all[0])?.public_url
  }

  /** Core starts no store without this secret in production. All instances of a store have the same one. */
  private tokenOf({ order_id, nonce }: Pick<CryptoPaymentPageRow, "order_id" | "nonce">): string {
    const secret = this.config.projectConfig?.http?.cookieSecret ?? ""
    return createHmac("sha256", secret).update(`crypto pay page:${order_id}:${nonce}`).digest("base64url")
  }
}

const isWebAddress = (url: string | null | undefined): boolean => /^https?:\/\//.test(url ?? "")

/** Of the shop to which payers of a cart return. Null where only a cart says which: its host has a placeholder. */
function originOf(url: string | null | undefined): string | null {
  const origin = url == null ? "{" : new URL(url).origin
  return origin.includes("{") ? null : origin
}

/** Core keeps items that an edit has taken off. */
const toItems = ({ items = [], currency_code }: PricedOrder): PageItem[] =>
  items
    .filter(({ quantity }) => isMoreThan(quantity, 0))
    .map(({ title, quantity, total }) => ({
      title,
      quantity: MathBN.convert(quantity).toFixed(),
      amount: toTwoDecimals(total),
      currency_code,
    }))

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("hex")
}
