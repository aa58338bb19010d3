type Amount = string | number

/** Whether two amounts are the same to the cent. */
export function isSame(one: Amount, other: Amount): boolean {
  return Math.abs(Number(one) - Number(other)) < 0.005
}

/** Whether an amount is more than another one by a cent at least. */
export function isSurelyMore(one: Amount, other: Amount): boolean {
  return Number(one) - Number(other) > 0.005
}

export function sum(rows: { amount: string }[]): number {
  return rows.reduce((total, { amount }) => total + Number(amount), 0)
}
