/**
 * What the admin's routes take and answer, as JSON: times are ISO strings, amounts decimal strings in major units.
 * Types only, for the admin's pages: each is read off the route that answers it. `docs/admin-api.md` describes them.
 */

import type { MedusaResponse } from "@medusajs/framework/http"
import type { GET as readPayment } from "./api/admin/crypto-payments/[id]/route"
import type { GET as listCandidates } from "./api/admin/crypto-payments/[id]/candidates/route"
import type { POST as checkNow } from "./api/admin/crypto-payments/[id]/settle/route"
import type { GET as readAudit } from "./api/admin/crypto-payments/audit/route"
import type { GET as listBalances } from "./api/admin/crypto-payments/balances/route"
import type { GET as readHealth } from "./api/admin/crypto-payments/health/route"
import type { GET as readReconciliation } from "./api/admin/crypto-payments/reconciliation/route"
import type { toGatewayRecord } from "./api/admin/crypto-payments/respond"
import type { GET as listPayments } from "./api/admin/crypto-payments/route"
import type { POST as testConnection } from "./api/admin/crypto-payments/settings/[provider_id]/check/route"
import type { POST as testWebhook } from "./api/admin/crypto-payments/settings/[provider_id]/webhook-check/route"
import type { GET as listSettings } from "./api/admin/crypto-payments/settings/route"
import type { GET as readSettlements } from "./api/admin/crypto-payments/settlements/route"

export type { RequestState } from "./modules/crypto-payments/models/crypto-payment-request"
export type { Field } from "./modules/crypto-payments/settings/settings-view"
export type { SettingValues } from "./modules/crypto-payments/settings/setting"
export type { SaveSettings, SettingsInput } from "./modules/crypto-payments/settings/settings-form"
export type { ListReport } from "./modules/crypto-payments/reconciliation/list-report"

type AsJson<Value> = Value extends Date
  ? string
  : Value extends string | number | boolean | null | undefined
    ? Value
    : { [Field in keyof Value]: AsJson<Value[Field]> }

type AnswerOf<Route extends (...args: never[]) => unknown> =
  Parameters<Route>[1] extends MedusaResponse<infer Answer> ? AsJson<Answer> : never

export type CryptoPaymentList = AnswerOf<typeof listPayments>
export type CryptoPayment = CryptoPaymentList["crypto_payments"][number]
export type CryptoPaymentDetail = AnswerOf<typeof readPayment>["crypto_payment"]
export type Activity = CryptoPaymentDetail["activities"][number]
export type GatewayRecord = ReturnType<typeof toGatewayRecord>
export type Checked = AnswerOf<typeof checkNow>

export type Candidates = AnswerOf<typeof listCandidates>
export type Candidate = Candidates["candidates"][number]

export type Balance = AnswerOf<typeof listBalances>["balances"][number]

export type Settlements = AnswerOf<typeof readSettlements>
export type SettlementRow = Settlements["settlements"][number]

export type Reconciliation = AnswerOf<typeof readReconciliation>

export type AuditReport = NonNullable<AnswerOf<typeof readAudit>["audit"]>

export type AllSettings = AnswerOf<typeof listSettings>
export type CryptoSettings = AllSettings["settings"][number]
export type SecretField = CryptoSettings["secrets"][string]
export type EncryptionKeyState = AllSettings["encryption_key"]
export type ConnectionCheck = AnswerOf<typeof testConnection>
export type WebhookCheck = AnswerOf<typeof testWebhook>

export type Health = AnswerOf<typeof readHealth>
export type ProviderHealth = Health["providers"][number]

/** The fields of the API's errors in addition to their message; see "Errors of a save" in `docs/admin-api.md`. */
export interface ErrorBody {
  type?: string
  message?: string
  code?: string
  fields?: string[]
  /** The state of the encryption key, when that is wrong. */
  state?: string
  open_requests?: number
  former_origin?: string
  /** The limits of a cart that cross, with their currency. */
  smallest?: string
  largest?: string
}
