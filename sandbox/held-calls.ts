/** Calls that a `hold` fault keeps waiting, oldest first. */
export class HeldCalls {
  private readonly waiting = new Map<() => void, string>()

  get paths(): string[] {
    return [...this.waiting.values()]
  }

  /** Ends when the call is released. @param gone aborted when the caller disconnects: the call is not held any more */
  async wait(path: string, gone: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const go = (): void => {
        this.waiting.delete(go)
        resolve()
      }
      this.waiting.set(go, path)
      gone.addEventListener("abort", go)
    })
  }

  /** @returns how many were released */
  release(most = Infinity): number {
    const released = [...this.waiting.keys()].slice(0, most)
    for (const go of released) {
      go()
    }
    return released.length
  }
}
