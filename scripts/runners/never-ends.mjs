import { endAfterRun } from "../../integration-tests/setup/endings.mjs"

/** Nothing holds Node's loop open while the teardown waits for this. */
export default function globalSetup() {
  endAfterRun(() => new Promise(() => undefined))
}
