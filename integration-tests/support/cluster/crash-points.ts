import type { Knex } from "@medusajs/framework/mikro-orm/knex"

const OF_COLLECTION = `SELECT cart_id FROM cart_payment_collection WHERE payment_collection_id =`
const OF_SESSION = `SELECT cpc.cart_id FROM payment_session s JOIN cart_payment_collection cpc USING (payment_collection_id) WHERE s.id =`
const OF_PAYMENT = `SELECT cpc.cart_id FROM payment p JOIN cart_payment_collection cpc USING (payment_collection_id) WHERE p.id =`
const OF_ORDER = `SELECT c.id FROM "order" o JOIN cart c ON c.email = o.email WHERE o.id =`

const isSet = (column: string) => `OLD.${column} IS NULL AND NEW.${column} IS NOT NULL`
const ROW_UPDATE = ["UPDATE ON crypto_payment_request", "SELECT ($1).cart_id"] as const

/**
 * Where a completion or a settle can be cut off on the way from PAID to a settled order: just before this write.
 * `cart` gives the cart id of the written row `$1`.
 */
export const CRASH_POINTS: Record<string, readonly [write: string, cart: string, when?: string]> = {
  "PAID is recorded": [...ROW_UPDATE, isSet("paid_at")],
  "the session is claimed": [...ROW_UPDATE, isSet("paid_session_id")],
  "the payment exists": ["INSERT ON payment", `${OF_SESSION} ($1).payment_session_id`],
  "the session is authorized": [
    "UPDATE ON payment_session",
    `${OF_COLLECTION} ($1).payment_collection_id`,
    "NEW.status = 'authorized'",
  ],
  "the capture exists": ["INSERT ON capture", `${OF_PAYMENT} ($1).payment_id`],
  "the payment is captured": [
    "UPDATE ON payment",
    `${OF_SESSION} ($1).payment_session_id`,
    isSet("captured_at"),
  ],
  "the collection is completed": [
    "UPDATE ON payment_collection",
    `${OF_COLLECTION} ($1).id`,
    "NEW.status = 'completed'",
  ],
  "the order exists": [`INSERT ON "order"`, "SELECT id FROM cart WHERE email = ($1).email"],
  "the order has its cart": ["INSERT ON order_cart", "SELECT ($1).cart_id"],
  "the order has its collection": [
    "INSERT ON order_payment_collection",
    `${OF_COLLECTION} ($1).payment_collection_id`,
  ],
  "the cart is completed": ["UPDATE ON cart", "SELECT ($1).id", isSet("completed_at")],
  "the money is booked on the order": ["INSERT ON order_transaction", `${OF_ORDER} ($1).order_id`],
  "the ledger has settled": [...ROW_UPDATE, isSet("settled_at")],
}

/** Makes Postgres hold each chosen cart at its point, so that the process can be killed exactly there. */
export async function setCrashPoints(knex: Knex, points: Map<string, string>): Promise<void> {
  await knex.raw(`
    CREATE TABLE crash_point (cart_id text PRIMARY KEY, point text NOT NULL);
    CREATE FUNCTION crash_here() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE found text;
    BEGIN
      EXECUTE TG_ARGV[1] INTO found USING NEW;
      IF EXISTS (SELECT 1 FROM crash_point WHERE cart_id = found AND point = TG_ARGV[0]) THEN
        PERFORM pg_sleep(600);
      END IF;
      RETURN NEW;
    END $$`)
  for (const [index, [name, [write, cart, when]]] of Object.entries(CRASH_POINTS).entries()) {
    await knex.raw(
      `CREATE TRIGGER crash_here_${index} BEFORE ${write} FOR EACH ROW
       ${when === undefined ? "" : `WHEN (${when})`} EXECUTE FUNCTION crash_here('${name}', '${cart}')`
    )
  }
  await knex("crash_point").insert([...points].map(([cart_id, point]) => ({ cart_id, point })))
}

const HELD = "FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()"

/** How many processes have stopped at their point now. */
export async function countHeld(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: [{ held: number }] }>(`SELECT count(*)::int AS held ${HELD}`)
  return rows[0].held
}

/** After the kill: what was held is undone, as Postgres undoes it for a client that is gone, and nothing is held again. */
export async function removeCrashPoints(knex: Knex): Promise<void> {
  await knex.raw(`SELECT pg_terminate_backend(pid) ${HELD}`)
  await knex.raw("DROP FUNCTION crash_here CASCADE; DROP TABLE crash_point")
}
