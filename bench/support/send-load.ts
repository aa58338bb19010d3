import { spawn } from "node:child_process"
import path from "node:path"
import { text } from "node:stream/consumers"

export interface Load {
  url: string
  bodies: string[]
  amount: number
  connections: number
}

/** What came back; latencies in milliseconds. */
export interface Answers {
  perSecond: number
  seconds: number
  p50: number
  p99: number
  max: number
  failed: number
  statuses: Record<string, number>
}

/** @throws when a request was not answered, or not with the expected status: then nothing was measured */
export async function sendLoad(load: Load, expectedStatus: number): Promise<Answers> {
  // Without the test runner's flags, which are not for this process.
  const sender = spawn(process.execPath, [path.join(__dirname, "load.mjs")], {
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["pipe", "pipe", "inherit"],
  })
  sender.stdin.end(JSON.stringify(load))
  const answers = JSON.parse(await text(sender.stdout)) as Answers
  if (answers.failed > 0 || answers.statuses[String(expectedStatus)] !== load.amount) {
    throw new Error(`expected ${load.amount} answers of ${expectedStatus}: ${JSON.stringify(answers)}`)
  }
  return answers
}
