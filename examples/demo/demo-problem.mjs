/** Something the person at the terminal can understand and act on: shown as it is, without a stack. */
export class DemoProblem extends Error {}
