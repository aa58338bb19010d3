import { describeLocking } from "./locking"

const redis = { resolve: "@medusajs/medusa/event-bus-redis" }
const locking = (...providers: unknown[]): Record<string, unknown> => ({
  locking: { resolve: "@medusajs/medusa/locking", options: { providers } },
})

describe("describeLocking", () => {
  it.each([
    ["one instance with locks in memory", {}, undefined, true],
    ["a server next to workers with locks in memory", {}, "server", false],
    ["a worker with locks in memory", {}, "worker", false],
    ["events on Redis with locks in memory", { event_bus: redis }, "shared", false],
    [
      "workflows on Redis with locks in memory",
      { workflows: { resolve: "@medusajs/workflow-engine-redis" } },
      undefined,
      false,
    ],
    ["locks on Redis", { ...locking({ id: "locking-redis" }), event_bus: redis }, "server", true],
    [
      "a default among several",
      locking({ id: "a" }, { id: "locking-redis", is_default: true }),
      "worker",
      true,
    ],
    ["locks on Postgres, which stick", locking({ id: "locking-postgres" }), "worker", false],
    [
      "locks on Postgres under another name",
      locking({ id: "locks", resolve: "@medusajs/medusa/locking-postgres" }),
      undefined,
      false,
    ],
    ["several and no default, which is memory", locking({ id: "a" }, { id: "b" }), "worker", false],
  ])("%s: fits is %4$s", (_, modules, workerMode, fits) => {
    expect(describeLocking({ modules, projectConfig: { workerMode } }).fits).toBe(fits)
  })

  it("names the provider, and what to install where it does not fit", () => {
    expect(describeLocking({ modules: locking({ id: "locking-redis" }) })).toEqual({
      provider: "locking-redis",
      fits: true,
      message: null,
    })
    expect(describeLocking({ projectConfig: { workerMode: "worker" } }).message).toContain(
      "@medusajs/medusa/locking-redis"
    )
  })
})
