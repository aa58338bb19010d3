import { setTimeout as delay } from "node:timers/promises"
import { notificationData, signedBody } from "../integration-tests/support/notification"
import { describeStore } from "../integration-tests/support/store-under-test"
import { insertSettledRows } from "./support/ledger-rows"
import { postgresVersion } from "./support/postgres-version"
import { median, ratio } from "./support/quantiles"
import { writeReport } from "./support/report"
import { sendLoad, type Answers } from "./support/send-load"
import { statementsDuring } from "./support/statements"

const CONNECTIONS = 20
const ROUNDS = 3
const REQUESTS_PER_ROUND = 3000
const WARM_UP = 300
/** Core works off what its route took five seconds later. */
const CORE_DELAY_MS = 5000

interface BesideCore {
  ours: Answers[]
  core: Answers[]
}

jest.setTimeout(15 * 60_000)

describeStore("webhook intake under load", (store) => {
  const send = async (url: string, bodies: string[], status: number, amount: number): Promise<Answers> =>
    await sendLoad({ url, bodies, amount, connections: CONNECTIONS }, status)

  /** Core's route, which for this provider verifies nothing and records nothing, with all that it puts off. */
  const sendToCore = async (bodies: string[], amount = REQUESTS_PER_ROUND): Promise<Answers> => {
    const coreUrl = `${String(store.http.defaults.baseURL)}/hooks/payment/system_default`
    const answers = await send(coreUrl, bodies, 200, amount)
    await delay(CORE_DELAY_MS + 1000)
    return answers
  }

  /** Both routes in turns, so that whatever else the machine does strikes both. */
  const besideCore = async (bodies: string[], status: number): Promise<BesideCore> => {
    await send(store.webhookUrl, bodies, status, WARM_UP)
    await sendToCore(bodies, WARM_UP)
    const answers: BesideCore = { ours: [], core: [] }
    for (let i = 0; i < ROUNDS; i++) {
      answers.ours.push(await send(store.webhookUrl, bodies, status, REQUESTS_PER_ROUND))
      answers.core.push(await sendToCore(bodies))
    }
    return answers
  }

  it(`${CONNECTIONS} connections at once`, async () => {
    store.leavesDamage("the settled payments have no captures")
    const paid = (id: string, key?: string): string =>
      signedBody(notificationData(id, { status: "PAID" }), key)
    const forged = await besideCore(
      ["one", "two", "three"].map((id) => paid(id, "somebody else's key")),
      401
    )
    const bodies = (await insertSettledRows(store, 1000)).map((id) => paid(id))
    const settled = await besideCore(bodies, 200)
    const statements = await statementsDuring(store.knex, async () => {
      await send(store.webhookUrl, bodies, 200, WARM_UP)
    })
    const statementsEach = ratio(statements.length, WARM_UP)
    writeReport("webhook-intake", {
      postgres: await postgresVersion(store.knex),
      table: [
        ["notifications", "per second", "p99 ms", "core per second", "core p99 ms", "ours over core"],
        toRow("forged, answered 401", forged),
        toRow("genuine, of settled payments", settled),
        ["statements for one of a settled payment", statementsEach],
      ],
    })
  })
})

function toRow(what: string, { ours, core }: BesideCore): (string | number)[] {
  const [here, there] = [ours, core].map((answers) => ({
    perSecond: Math.round(median(answers.map(({ perSecond }) => perSecond))),
    p99: median(answers.map(({ p99 }) => p99)),
  })) as [Answers, Answers]
  return [what, here.perSecond, here.p99, there.perSecond, there.p99, ratio(here.perSecond, there.perSecond)]
}
