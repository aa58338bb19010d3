/** @param values milliseconds */
export interface Quantiles {
  p50: number
  p95: number
}

/** The nearest-rank quantiles, rounded to a tenth of a millisecond. */
export function quantiles(values: number[]): Quantiles {
  const sorted = [...values].sort((left, right) => left - right)
  const at = (share: number): number =>
    round(sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN)
  return { p50: at(0.5), p95: at(0.95) }
}

/** The middle value: what else the machine does in one round of several does not move it. */
export function median(values: number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN
}

export function ratio(value: number, base: number): number {
  return Math.round((value / base) * 100) / 100
}

/** To a tenth. */
export function round(value: number): number {
  return Math.round(value * 10) / 10
}
