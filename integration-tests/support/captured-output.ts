import type { Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { StoreUnderTest } from "./store-under-test"

interface Sink {
  write: (chunk: string | Uint8Array, ...rest: never[]) => boolean
}

/** Everything this process writes: the logger at its most talkative, the access log, the console. */
export class CapturedOutput {
  private readonly chunks: string[] = []
  private readonly undo: (() => void)[] = []

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
    const sinks = new Set<Sink | undefined>([process.stdout, process.stderr, _stdout, _stderr])
    for (const sink of sinks) {
      if (sink !== undefined) {
        this.tap(sink)
      }
    }
    const talk = globalThis.console as unknown as Record<string, (...words: unknown[]) => void>
    for (const name of ["log", "info", "warn", "error", "debug"]) {
      const say = talk[name]
      talk[name] = (...words) => {
        this.chunks.push(words.map(String).join(" "))
      }
      this.undo.push(() => {
        talk[name] = say as (...words: unknown[]) => void
      })
    }
  }

  stop(): void {
    this.logger.unsetLogLevel()
    for (const undo of this.undo.splice(0)) {
      undo()
    }
  }

  private get logger(): Logger {
    return this.store.container.resolve(ContainerRegistrationKeys.LOGGER)
  }

  private tap(sink: Sink): void {
    const { write } = sink
    sink.write = (chunk) => {
      this.chunks.push(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"))
      return true
    }
    this.undo.push(() => {
      sink.write = write
    })
  }
}
