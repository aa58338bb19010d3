type Amount = string | number

/** Whether two amounts are the same to the cent. */
export const isSame = (one: Amount, other: Amount): boolean => Math.abs(Number(one) - Number(other)) < 0.005

/** Whether an amount is more than another one by a cent at least. */
export const isSurelyMore = (one: Amount, other: Amount): boolean => Number(one) - Number(other) > 0.005

export const sum = (rows: { amount: string }[]): number =>
  rows.reduce((total, { amount }) => total + Number(amount), 0)
