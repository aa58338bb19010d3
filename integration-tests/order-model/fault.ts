/** Something that is not as it must be. Faults of one rule are told once, by the shortest story that ends in it. */
export interface Fault {
  rule: string
  what: string
}
