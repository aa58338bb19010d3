import { z } from "@medusajs/framework/zod"

const sentence = z.string().trim().min(1).max(1000)

/** Closing a case: what was done about it, in words. */
export const AdminResolveCryptoPayment = z.strictObject({ note: sentence })
export type AdminResolveCryptoPaymentType = z.infer<typeof AdminResolveCryptoPayment>

/** A refund made at the gateway: amount in major units with at most two decimals, and the proof of it. */
export const AdminRegisterCryptoRefund = z.strictObject({
  amount: z
    .union([z.string(), z.number().transform(String)])
    .refine((amount) => /^\d{1,20}(\.\d{1,2})?$/.test(amount) && Number(amount) > 0, {
      error: "amount must be above zero with at most two decimals, such as 20.01",
    }),
  reference: sentence,
  note: sentence.optional(),
})
export type AdminRegisterCryptoRefundType = z.infer<typeof AdminRegisterCryptoRefund>
