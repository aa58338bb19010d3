/** Timers that never keep the process alive and can all be dropped at once. */
export class Timers {
  private pending = new Set<NodeJS.Timeout>()

  after(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.pending.delete(timer)
      run()
    }, ms)
    timer.unref()
    this.pending.add(timer)
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve)
    })
  }

  clear(): void {
    for (const timer of this.pending) {
      clearTimeout(timer)
    }
    this.pending.clear()
  }
}
