import { Pool } from "undici"

/** The most bytes of any answer. Each call has a limit of its own, which is less for all but lists. */
export const MOST_RESPONSE_BYTES = 16 * 1024 * 1024
/**
 * For each use. Visitors can fill those of the shop, and settling still has its own.
 *
 * `pipelining: 1` is one request at a time over a connection that is kept, 0 is a new connection for each request. A
 * creation gets a new one: a kept connection may be dead, and a creation that was lost with it must not be repeated.
 */
const POOLS = {
  shop: { connections: 32, pipelining: 1 },
  settling: { connections: 8, pipelining: 1 },
  creating: { connections: 32, pipelining: 0 },
}
// Leaves time for a second try within the default deadline of 8 s; a shorter deadline ends the call anyway.
const CONNECT_TIMEOUT_MS = 3000

/** What connections are used for: settling has its own, so that it always has some. */
export type PoolUse = keyof typeof POOLS

/** A share in the pool of one origin and use. */
export interface PoolLease {
  pool: Pool
  /** Gives the share back; the last one closes the pool, after the calls in flight. Call it once. */
  release: () => Promise<void>
}

const pools = new Map<string, { pool: Pool; leases: number }>()

/**
 * The process's one pool for this origin and use. Providers are built per registration and clients per
 * settings change; connections outlive both. Idle sockets do not keep the process alive (undici unrefs them).
 */
export function leasePool(origin: string, use: PoolUse): PoolLease {
  const key = `${use} ${origin}`
  const entry = pools.get(key) ?? { pool: createPool(origin, use), leases: 0 }
  entry.leases += 1
  pools.set(key, entry)
  return {
    pool: entry.pool,
    release: async () => {
      entry.leases -= 1
      if (entry.leases === 0) {
        pools.delete(key)
        await entry.pool.close()
      }
    },
  }
}

function createPool(origin: string, use: PoolUse): Pool {
  return new Pool(origin, {
    ...POOLS[use],
    // Undici bounds the size of answers in HTTP/1.1 only.
    allowH2: false,
    maxResponseSize: MOST_RESPONSE_BYTES,
    connectTimeout: CONNECT_TIMEOUT_MS,
  })
}
