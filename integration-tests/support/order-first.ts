import type { StoreCluster } from "../support/cluster/store-cluster"

/** The provider whose orders are placed before they are paid, and cancelled when nobody pays them. */
export const ORDER_FIRST = "pp_crypto_second"
export const TTL_MINUTES = 2

export const ORDER_FIRST_ENVIRONMENT = {
  CRYPTO_PAYMENTS_SECOND_PROVIDER: ORDER_FIRST.replace("pp_crypto_", ""),
  CRYPTO_PAYMENTS_SECOND_ORDER_PLACEMENT: "before_payment",
  CRYPTO_PAYMENTS_SECOND_UNPAID_ORDER_TTL_MINUTES: String(TTL_MINUTES),
}

/** Every region offers it, as well as what it offered before. */
export async function offerOrderFirst({ knex }: Pick<StoreCluster, "knex">): Promise<void> {
  await knex.raw(
    `INSERT INTO region_payment_provider (id, region_id, payment_provider_id)
     SELECT 'regpp_' || r.id, r.id, ? FROM region r WHERE r.deleted_at IS NULL`,
    [ORDER_FIRST]
  )
}
