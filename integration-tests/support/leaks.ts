import { inspect } from "node:util"
import { Modules } from "@medusajs/framework/utils"
import type { AxiosResponse } from "axios"
import { CapturedOutput } from "./captured-output"
import type { StoreUnderTest } from "./store-under-test"

/** Where a text can come out of the store. */
export type Place =
  | "log"
  | "event"
  | "thrown error"
  | "webhook's answer"
  | "status answer"
  | "status answer to who knows the cart"
  | "core's store answer"
  | "admin answer"
  | "customer in an admin answer"
  | "core's admin answer"
  | "refusal"
  | "file"
  | "file of payments"
  | "our tables"
  | "core's tables"

/** A text that must not come out, but where its owner may see it. */
export interface Canary {
  name: string
  /** A text, or how all texts of its kind look. */
  text: string | RegExp
  mayComeOutIn?: readonly Place[]
}

interface Outcome {
  place: Place
  /** Which route, event or table. */
  source: string
  text: string
}

/** Answers that are a way to log in, which is theirs to give. */
const LOGINS = /^\/auth\//
/** Of what was asked: the path, and the headers with the id of a cart as Medusa makes it. The first one counts. */
const PLACES: [asked: RegExp, place: Place][] = [
  [/^\/admin\/crypto-payments\/export/, "file of payments"],
  [/^\/admin\/crypto-payments\S*\/export[? ]/, "file"],
  [/^\/admin\/crypto-payments/, "admin answer"],
  [/^\/admin\//, "core's admin answer"],
  [/^\/store\/crypto-payments.*cart_[0-9A-Z]{26}/, "status answer to who knows the cart"],
  [/^\/store\/crypto-payments/, "status answer"],
]

/**
 * Everything that comes out of the store, from `start` on: what it logs at its most talkative, every event it emits,
 * every answer it gives to this test, and at the end its tables.
 */
export class Leaks {
  private readonly output: CapturedOutput
  private readonly outcomes: Outcome[] = []
  stop = (): void => undefined

  constructor(
    private readonly store: StoreUnderTest,
    private readonly canaries: readonly Canary[]
  ) {
    this.output = new CapturedOutput(store)
  }

  start(): void {
    this.output.start()
    const { response } = this.store.http.interceptors
    const interceptor = response.use((answer) => {
      this.add(answer)
      return answer
    })
    const bus = this.store.container.resolve(Modules.EVENT_BUS)
    const emit = bus.emit.bind(bus)
    bus.emit = async (...emitted: Parameters<typeof emit>) => {
      for (const message of [emitted[0]].flat()) {
        this.outcomes.push({ place: "event", source: message.name, text: JSON.stringify(message) })
      }
      await emit(...emitted)
    }
    this.stop = () => {
      this.output.stop()
      response.eject(interceptor)
      bus.emit = emit
    }
  }

  /** As a log or an error reporter would print it, its causes and hidden properties included. */
  thrown(source: string, error: unknown): void {
    const text = inspect(error, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null })
    this.outcomes.push({ place: "thrown error", source, text })
  }

  /** What was heard of one place, to see that a scenario was heard at all. */
  heard(place: Place): string {
    return place === "log"
      ? this.output.text
      : this.outcomes
          .filter((outcome) => outcome.place === place)
          .map(({ source, text }) => `${source} ${text}`)
          .join("\n")
  }

  /** Every canary that came out where it may not, with the text around it. */
  async find(): Promise<string[]> {
    const all = [
      ...this.outcomes,
      { place: "log" as const, source: "", text: this.output.text },
      ...(await this.readTables()),
    ]
    return this.canaries.flatMap(({ name, text, mayComeOutIn = [] }) =>
      all
        .filter(({ place }) => !mayComeOutIn.includes(place))
        .flatMap((outcome) => {
          const at = typeof text === "string" ? outcome.text.indexOf(text) : outcome.text.search(text)
          const around = outcome.text.slice(Math.max(0, at - 200), at + 100)
          return at === -1 ? [] : `${name} in ${outcome.place} ${outcome.source}: …${around}…`
        })
    )
  }

  private add({ config, status, data, headers }: AxiosResponse): void {
    const path = (config.url ?? "").replace(/^https?:\/\/[^/]+/, "")
    if (LOGINS.test(path)) {
      return
    }
    const place = placeOf(`${path} ${JSON.stringify(config.headers)}`, status)
    const source = `${String(config.method)} ${path} ${String(status)}`
    // Roles that may see customers in Medusa see them with a payment: in this field, and nowhere else.
    const customers: unknown[] = []
    const isOurs = place === "admin answer"
    const withoutCustomers = (key: string, value: unknown): unknown => {
      if (!isOurs || key !== "customer") {
        return value
      }
      customers.push(value)
      return undefined
    }
    const body = typeof data === "string" ? data : JSON.stringify(data, withoutCustomers)
    this.outcomes.push({ place, source, text: `${body} ${JSON.stringify(headers)}` })
    if (customers.length > 0) {
      this.outcomes.push({ place: "customer in an admin answer", source, text: JSON.stringify(customers) })
    }
  }

  private async readTables(): Promise<Outcome[]> {
    const { rows: tables } = await this.store.knex.raw<{ rows: { name: string }[] }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`
    )
    const outcomes: Outcome[] = []
    for (const { name } of tables) {
      const { rows } = await this.store.knex.raw<{ rows: { text: string | null }[] }>(
        `SELECT string_agg(to_jsonb(t)::text, E'\n') AS text FROM ${name} t`
      )
      const place = name.startsWith("crypto_payment_") ? "our tables" : "core's tables"
      outcomes.push({ place, source: name, text: rows[0]?.text ?? "" })
    }
    return outcomes
  }
}

function placeOf(asked: string, status: number): Place {
  if (asked.startsWith("/hooks/")) {
    return "webhook's answer"
  }
  if (status === 401 || status === 403) {
    return "refusal"
  }
  return PLACES.find(([pattern]) => pattern.test(asked))?.[1] ?? "core's store answer"
}
