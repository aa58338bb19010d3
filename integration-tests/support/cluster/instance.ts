import { rmSync } from "node:fs"
import { plain, type Kept } from "./kept"
import { BUILT_STORE, MEDUSA_CLI } from "./paths"

/** `shared` does the work of both, as a store of one process does. */
export type WorkerMode = "server" | "worker" | "shared"

/** One `medusa start` of the built store. */
export class Instance {
  private kept: Kept | undefined
  private starts = 0
  private port = 0

  /**
   * @param preload loaded into the process before Medusa
   * @param folder the built store's unless told; another one has other configuration
   */
  constructor(
    readonly mode: WorkerMode,
    private readonly name: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly logs: string,
    private readonly preload?: string,
    private readonly folder = BUILT_STORE
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get webhookUrl(): string {
    return `${this.url}/hooks/payment/crypto_default`
  }

  /** Starts it and waits until it listens; it keeps its port when it is started again, as behind a load balancer. */
  async start(): Promise<void> {
    const { freePort, keep, STORE_READY, untilReady } = await plain()
    this.port ||= await freePort()
    const log = `${this.logs}/${this.name}.${++this.starts}.log`
    // A folder kept from an earlier run has one of that name, which says that it is ready.
    rmSync(log, { force: true })
    const preload = this.preload === undefined ? [] : ["--require", this.preload]
    const address = ["--host", "127.0.0.1", "--port", String(this.port)]
    this.kept = keep({
      commands: [[process.execPath, ...preload, MEDUSA_CLI, "start", ...address]],
      cwd: this.folder,
      env: { ...this.environment, WORKER_MODE: this.mode },
      log,
      stopSignal: "SIGKILL",
    })
    const { signal } = new AbortController()
    await untilReady(this.kept, { name: this.name, log, ready: STORE_READY, signal })
  }

  /** As a deploy does: SIGTERM, and SIGKILL when it has not ended by itself after 150 seconds. */
  async stopInOrder(): Promise<void> {
    await this.kept?.stop("SIGTERM")
  }

  async restart(): Promise<void> {
    await this.stopInOrder()
    await this.start()
  }

  /** `kill -9` of the whole process group. */
  async kill(): Promise<void> {
    await this.kept?.stop()
  }
}
