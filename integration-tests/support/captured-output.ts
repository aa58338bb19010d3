import type { Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { StoreUnderTest } from "./store-under-test"

interface Sink {
  write: (chunk: string | Uint8Array, ...rest: never[]) => boolean
}

/** Everything this process writes: the logger at its most talkative, the access log, the console. */
export class CapturedOutput {
  private readonly chunks: string[] = []
  private readonly spies: { mockRestore: () => void }[] = []

  /** @param level what the store's logger is set to write; every level unless given */
  constructor(
    private readonly store: StoreUnderTest,
    private readonly level = "silly"
  ) {}

  get text(): string {
    return this.chunks.join("")
  }

  start(): void {
    this.logger.setLogLevel(this.level)
    // The logger's console transport writes to what Node hides in these; under jest they are not the process's own.
    const { _stdout, _stderr } = globalThis.console as unknown as { _stdout?: Sink; _stderr?: Sink }
    const sinks: Set<Sink | undefined> = new Set([process.stdout, process.stderr, _stdout, _stderr])
    for (const sink of [...sinks].filter((sink) => sink !== undefined)) {
      const spy = jest.spyOn(sink, "write").mockImplementation((chunk) => {
        this.chunks.push(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"))
        return true
      })
      this.spies.push(spy)
    }
    for (const name of ["log", "info", "warn", "error", "debug"] as const) {
      const spy = jest.spyOn(globalThis.console, name).mockImplementation((...words) => {
        this.chunks.push(words.map(String).join(" "))
      })
      this.spies.push(spy)
    }
  }

  stop(): void {
    this.logger.unsetLogLevel()
    for (const spy of this.spies.splice(0)) {
      spy.mockRestore()
    }
  }

  private get logger(): Logger {
    return this.store.container.resolve(ContainerRegistrationKeys.LOGGER)
  }
}
