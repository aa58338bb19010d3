import { setTimeout as delay } from "node:timers/promises"
import type { AxiosResponse } from "axios"
import type { StoreCluster } from "../support/cluster/store-cluster"
import type { Shopper } from "../support/shopper"

const PAUSE_MS = 500
const PATIENCE_MS = 90_000

/** A shopper behind a load balancer: when a server is down or fails, the other one is asked. */
export class Visitor {
  constructor(
    readonly cluster: StoreCluster,
    private readonly near: 0 | 1
  ) {}

  /** Tries until it works. @returns undefined when patience has ended */
  async insist<T>(work: (shopper: Shopper) => Promise<T>): Promise<T | undefined> {
    const deadline = Date.now() + PATIENCE_MS
    for (let turn = 0; Date.now() < deadline; turn++) {
      try {
        return await work(this.at(turn))
      } catch {
        // A server that is down, or an answer that is no success: asked again, elsewhere.
        await delay(PAUSE_MS)
      }
    }
    return undefined
  }

  /** Asks once. @returns undefined when no answer came */
  async ask(turn: number, work: (shopper: Shopper) => Promise<AxiosResponse>) {
    // The server was killed meanwhile; the shopper sees an error page.
    return await work(this.at(turn)).catch(() => undefined)
  }

  private at(turn: number): Shopper {
    return this.cluster.shopper(this.cluster.server(this.near + turn))
  }
}
