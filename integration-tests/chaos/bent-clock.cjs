// Loaded into each process of the store before Medusa. Its clock is ahead by CHAOS_CLOCK_MS milliseconds.
const aheadMs = Number(process.env["CHAOS_CLOCK_MS"] ?? 0)
if (aheadMs !== 0) {
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      super(...(args.length === 0 ? [RealDate.now() + aheadMs] : args))
    }

    static now() {
      return RealDate.now() + aheadMs
    }
  }
}
