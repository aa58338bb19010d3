import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** Where a completion or a settle can be cut off: just before this write, on the way from PAID to a settled order. */
interface CrashPoint {
  table: string
  event: string
  /** Gives the cart id of the written row `$1`. */
  cart: string
  when?: string
}

const OF_COLLECTION = `SELECT cart_id FROM cart_payment_collection WHERE payment_collection_id =`
const OF_SESSION = `SELECT cpc.cart_id FROM payment_session s JOIN cart_payment_collection cpc USING (payment_collection_id) WHERE s.id =`
const OF_PAYMENT = `SELECT cpc.cart_id FROM payment p JOIN cart_payment_collection cpc USING (payment_collection_id) WHERE p.id =`
const OF_EMAIL = `SELECT id FROM cart WHERE email =`

export const CRASH_POINTS: Record<string, CrashPoint> = {
  "PAID is recorded": {
    table: "crypto_payment_request",
    event: "UPDATE",
    cart: "SELECT ($1).cart_id",
    when: "OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL",
  },
  "the session is claimed": {
    table: "crypto_payment_request",
    event: "UPDATE",
    cart: "SELECT ($1).cart_id",
    when: "OLD.paid_session_id IS NULL AND NEW.paid_session_id IS NOT NULL",
  },
  "the payment exists": {
    table: "payment",
    event: "INSERT",
    cart: `${OF_SESSION} ($1).payment_session_id`,
  },
  "the session is authorized": {
    table: "payment_session",
    event: "UPDATE",
    cart: `${OF_COLLECTION} ($1).payment_collection_id`,
    when: "NEW.status = 'authorized'",
  },
  "the capture exists": { table: "capture", event: "INSERT", cart: `${OF_PAYMENT} ($1).payment_id` },
  "the payment is captured": {
    table: "payment",
    event: "UPDATE",
    cart: `${OF_SESSION} ($1).payment_session_id`,
    when: "OLD.captured_at IS NULL AND NEW.captured_at IS NOT NULL",
  },
  "the collection is completed": {
    table: "payment_collection",
    event: "UPDATE",
    cart: `${OF_COLLECTION} ($1).id`,
    when: "NEW.status = 'completed'",
  },
  "the order exists": { table: `"order"`, event: "INSERT", cart: `${OF_EMAIL} ($1).email` },
  "the order has its cart": { table: "order_cart", event: "INSERT", cart: "SELECT ($1).cart_id" },
  "the order has its collection": {
    table: "order_payment_collection",
    event: "INSERT",
    cart: `${OF_COLLECTION} ($1).payment_collection_id`,
  },
  "the cart is completed": {
    table: "cart",
    event: "UPDATE",
    cart: "SELECT ($1).id",
    when: "OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL",
  },
  "the money is booked on the order": {
    table: "order_transaction",
    event: "INSERT",
    cart: `SELECT c.id FROM "order" o JOIN cart c ON c.email = o.email WHERE o.id = ($1).order_id`,
  },
  "the ledger has settled": {
    table: "crypto_payment_request",
    event: "UPDATE",
    cart: "SELECT ($1).cart_id",
    when: "OLD.settled_at IS NULL AND NEW.settled_at IS NOT NULL",
  },
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
  for (const [index, [name, { table, event, cart, when }]] of Object.entries(CRASH_POINTS).entries()) {
    await knex.raw(
      `CREATE TRIGGER crash_here_${index} BEFORE ${event} ON ${table} FOR EACH ROW
       ${when === undefined ? "" : `WHEN (${when})`} EXECUTE FUNCTION crash_here('${name}', '${cart}')`
    )
  }
  await knex("crash_point").insert([...points].map(([cart_id, point]) => ({ cart_id, point })))
}

/** How many processes have stopped at their point now. */
export async function countHeld(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: [{ held: number }] }>(
    "SELECT count(*)::int AS held FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
  )
  return rows[0].held
}

/** After the kill: what was held is undone, as Postgres undoes it for a client that is gone, and nothing is held again. */
export async function removeCrashPoints(knex: Knex): Promise<void> {
  await knex.raw("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
  await knex.raw("DROP FUNCTION crash_here CASCADE; DROP TABLE crash_point")
}
