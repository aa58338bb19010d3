import { plain } from "../support/cluster/kept"
import { Instance } from "../support/cluster/instance"

const PRELOAD = require.resolve("./preload/index.cjs")

/** Where a run is held. */
export interface HoldPoint {
  /** From 1; 0 to hold nowhere and only count. */
  number: number
  /** Of the write or call at which the process dies: before it is sent, or when it was answered and nobody knows. */
  side: "before" | "after"
}

/** One process of the store that can be held at a point, and whose schedule runs only when it is told to. */
export class StoreProcess extends Instance {
  private constructor(
    /** Postgres knows its connections by this. */
    readonly applicationName: string,
    private readonly controlPort: number,
    env: NodeJS.ProcessEnv,
    logs: string
  ) {
    super("shared", applicationName, env, logs, PRELOAD)
  }

  /** Boots one, and has a merchant's subscriber in it write what it hears to `heardFile`. */
  static async boot(name: string, env: NodeJS.ProcessEnv, logs: string, heardFile: string) {
    const port = await (await plain()).freePort()
    const control = { CRASH_CONTROL_PORT: String(port), PGAPPNAME: name }
    const process = new StoreProcess(name, port, { ...env, ...control }, logs)
    await process.start()
    await process.command("/listen", { file: heardFile })
    return process
  }

  /** Begins a run: what is asked of this process from now on belongs to it. */
  begin = () => this.command("/begin")

  /** From now on the writes and calls of the run are counted, and it is held at the point. */
  arm = ({ number, side }: HoldPoint) => this.command("/arm", { holdAt: number, side })

  /** Waits until the run is held or over. @returns the point's name; null when the run is over */
  held = async () => (await this.command<{ heldAt: string | null }>("/held")).heldAt

  /** Ends the run. What it has left under way goes on, unless it is held. @returns the names of the points it passed */
  disarm = async () => (await this.command<{ points: string[] }>("/disarm")).points

  /** Runs the job of every minute to its end. */
  runSchedule = () => this.command("/tick")

  /** Settles one row if it is due, as that job does. */
  settleDue = (id: string) => this.command("/settle", { id })

  /** A process that does not answer makes `fetch` fail after five minutes. */
  private async command<Answer>(path: string, input: object = {}) {
    const answer = await fetch(`http://127.0.0.1:${this.controlPort}${path}`, {
      method: "POST",
      body: JSON.stringify(input),
    })
    const body = (await answer.json()) as Answer & { message?: string }
    if (!answer.ok) {
      throw new Error(`${this.applicationName} ${path}: ${String(body.message)}`)
    }
    return body
  }
}
