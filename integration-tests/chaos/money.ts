/** Whether two amounts are the same to the cent. */
export function isSame(one: string | number, other: string | number): boolean {
  return Math.abs(Number(one) - Number(other)) < 0.005
}

export function sum(rows: { amount: string }[]): number {
  return rows.reduce((total, { amount }) => total + Number(amount), 0)
}
