/**
 * How long it takes to verify a notification, compared with a bare HMAC over the same text and with what `stripe` takes
 * for a body of the same size. A plain program: under jest every look at a global takes longer.
 */
import { createHmac, randomBytes } from "node:crypto"
import Stripe from "stripe"
import { parseSignedBody, verifyApprovalHash } from "../.medusa/server/src/gateway"
import { median, ratio, round } from "./support/quantiles"
import { writeReport } from "./support/report"

const ROUNDS = 15
const ROUND_MS = 200
const CALLS_BETWEEN_LOOKS = 100
/** So that no signature grows too old while it is measured. */
const FOR_EVER = Number.MAX_SAFE_INTEGER

const secretKey = randomBytes(24).toString("hex")
/** Every field the interface lists, none of them null. */
const data: Record<string, string> = {
  payment_request_id: randomBytes(12).toString("hex"),
  payment_amount: "20.01000000000000",
  payment_currency: "USD",
  receiving_amount: "19.81000000000000",
  paid_cryptocurrency: "USDT",
  fee_amount: "0.20000000000000",
  fee_paid_by: "MERCHANT",
  payer_email_address: "guest@example.test",
  payer_first_name: "Aisha",
  payer_last_name: "Rahman",
  ref_id: randomBytes(8).toString("hex"),
  merchant_id: "m-1",
  merchant_name: "Shop",
  status: "PAID",
  paid_at: "2026-10-04T12:30:00Z",
  note: `payses_${randomBytes(13).toString("hex")}`,
}
const joined = Object.keys(data)
  .sort()
  .map((name) => data[name])
  .join("")
const approvalHash = createHmac("sha256", secretKey).update(joined).digest("hex")
const body = JSON.stringify({ data, approval_hash: approvalHash })
const stripeSecret = `whsec_${secretKey}`
const stripeHeader = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: stripeSecret })

/** Each says whether it found the body genuine, so that nothing can be left out as unused. */
const WAYS = {
  floor: () => createHmac("sha256", secretKey).update(joined, "utf8").digest("hex") === approvalHash,
  ours: () => verifyApprovalHash(data, approvalHash, secretKey),
  stripe: () => Stripe.webhooks.signature.verifyHeader(body, stripeHeader, stripeSecret, FOR_EVER),
  oursFromBytes: () => {
    const signed = parseSignedBody(JSON.parse(body))
    return verifyApprovalHash(signed.data, signed.approvalHash, secretKey)
  },
  stripeFromBytes: () =>
    typeof Stripe.webhooks.constructEvent(body, stripeHeader, stripeSecret, FOR_EVER) === "object",
}
type Way = keyof typeof WAYS

/** @returns operations per second over one round */
function measure(way: Way): number {
  const verify = WAYS[way]
  const startedAt = performance.now()
  let done = 0
  let tookMs = 0
  while (tookMs < ROUND_MS) {
    for (let i = 0; i < CALLS_BETWEEN_LOOKS; i++) {
      if (!verify()) {
        throw new Error(`${way} refused a genuine body`)
      }
    }
    done += CALLS_BETWEEN_LOOKS
    tookMs = performance.now() - startedAt
  }
  return (done / tookMs) * 1000
}

const ways = Object.keys(WAYS) as Way[]
const rounds = Object.fromEntries(ways.map((way) => [way, [] as number[]])) as Record<Way, number[]>
// The first round warms up; then in turns, so that whatever else the machine does strikes all.
for (let round = 0; round <= ROUNDS; round++) {
  for (const way of ways) {
    const perSecond = measure(way)
    if (round > 0) {
      rounds[way].push(perSecond)
    }
  }
}
const perSecond = Object.fromEntries(ways.map((way) => [way, Math.round(median(rounds[way]))])) as Record<
  Way,
  number
>
const row = (what: string, way: Way): (string | number)[] => [
  what,
  perSecond[way],
  round(1e6 / perSecond[way]),
  ratio(perSecond[way], perSecond.floor),
]

writeReport("approval-hash", {
  postgres: null,
  table: [
    ["what", "per second", "µs each", "ratio to the floor"],
    row("bare createHmac over the joined values (floor)", "floor"),
    row("verifyApprovalHash, parsed data", "ours"),
    row("stripe verifyHeader, body as text", "stripe"),
    row("ours from text: JSON.parse, parseSignedBody, verifyApprovalHash", "oursFromBytes"),
    row("stripe from text: constructEvent", "stripeFromBytes"),
  ],
})
