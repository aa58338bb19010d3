import { z } from "@medusajs/framework/zod"
import { inputText } from "../../../modules/crypto-payments/input-text"
import { normalizeReference } from "../../../modules/crypto-payments/refunds/reference"
import { requestFilter, searched, word } from "../../../modules/crypto-payments/reports/request-filter"
import { listQuery } from "../../../modules/crypto-payments/reports/shown-payments"
import { settlementQuery } from "../../../modules/crypto-payments/reports/settlement-report"

const sentence = inputText.trim().min(1).max(1000)

export { listQuery as AdminListCryptoPayments, settlementQuery as AdminGetCryptoSettlements }

/** `live=false` does not ask the gateway. `limit` and `offset` are of the timeline, whose newest entry is the first. */
export const AdminGetCryptoPayment = z.strictObject({
  ...listQuery.pick({ limit: true, offset: true }).shape,
  live: z.enum(["true", "false"]).default("true"),
})

export const AdminResolveCryptoPayment = z.strictObject({
  note: sentence,
  attention_since: z.iso
    .datetime({ offset: true, error: "attention_since must be the case's own" })
    .nullish(),
})

/** Amount in major units with at most two decimals, and a reference that proves the refund. */
export const AdminRegisterCryptoRefund = z.strictObject({
  amount: z
    .union([z.string(), z.number().transform(String)])
    .refine((amount) => /^\d{1,20}(\.\d{1,2})?$/.test(amount) && Number(amount) > 0, {
      error: "amount must be above zero with at most two decimals, such as 20.01",
    }),
  reference: sentence.refine((reference) => normalizeReference(reference) !== "", {
    error: "reference has no character that can be seen",
  }),
  note: sentence.optional(),
  /** One of Medusa's refund reasons. */
  refund_reason_id: word.optional(),
})

export const AdminApplyCryptoPayment = z.strictObject({ order_id: word })

/** A whole number, id, reference or e-mail address. An empty search is none. */
export const AdminListCandidates = z.strictObject({
  q: searched.transform((text) => text || undefined).optional(),
})

/** Optional with one provider. For a link of an order, the default is the provider of its newest crypto payment. */
export const AdminOfCryptoProvider = z.strictObject({ provider_id: word.optional() })

/** `reset` ends the addresses of the page that were given before. */
export const AdminGiveCryptoPayPage = AdminOfCryptoProvider.extend({ reset: z.boolean().optional() })

export const AdminListGatewayRequests = AdminOfCryptoProvider.extend({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
})

export const AdminReconcileCryptoPayments = z.strictObject({ provider_id: word })

/** Without names, all rules. */
export const AdminAuditCryptoPayments = z.strictObject({
  rules: z.array(word).min(1).optional(),
})

export const AdminExportCryptoPayments = requestFilter.extend(
  settlementQuery.pick({ from: true, to: true, time_zone: true }).shape
)
