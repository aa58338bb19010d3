import { accessSync, constants, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { connect } from "node:net"
import { freePort } from "./free-port"
import { keep } from "./kept"

const START_TIMEOUT_MS = 10_000

export interface RedisServer {
  url: string
  stop: () => Promise<void>
}

/** @throws one line that says how to get it */
export function findRedisServer(): string {
  const named = process.env["REDIS_SERVER_PATH"]
  const places = named
    ? [named]
    : (process.env["PATH"] ?? "").split(delimiter).map((directory) => join(directory, "redis-server"))
  const found = places.find(isExecutable)
  if (found === undefined) {
    throw new Error(
      named
        ? `REDIS_SERVER_PATH names ${named}, which cannot be run.`
        : "redis-server is missing. Install it (Debian: apt-get install redis-server, macOS: brew install redis) or name it in REDIS_SERVER_PATH."
    )
  }
  return found
}

/**
 * A Redis of its own on a free loopback port, gone with its files when this process ends.
 *
 * @param remove further paths that go then
 */
export async function startRedis(remove: string[] = []): Promise<RedisServer> {
  const command = findRedisServer()
  const directory = mkdtempSync(join(tmpdir(), "medusa-payment-crypto-redis-"))
  const port = await freePort()
  const kept = await keep({
    commands: [[command, "--bind", "127.0.0.1", "--port", String(port), "--save", "", "--dir", directory]],
    remove: [directory, ...remove],
  })
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!(await accepts(port))) {
    if (!kept.alive() || Date.now() > deadline) {
      await kept.stop()
      throw new Error(`redis-server did not start:\n${(await kept.ended).tail}`)
    }
    await delay(25)
  }
  return { url: `redis://127.0.0.1:${port}`, stop: kept.stop }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    // Not there: the next place is tried.
    return false
  }
}

async function accepts(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    const answer = (it: boolean) => () => {
      socket.destroy()
      resolve(it)
    }
    socket.on("connect", answer(true)).on("error", answer(false))
  })
}
