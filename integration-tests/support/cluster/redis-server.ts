import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect } from "node:net"
import { waitUntil } from "../wait-until"
import { plain } from "./kept"

const START_TIMEOUT_MS = 60_000
const INSTALL_TIMEOUT_MS = 120_000

const END_LOCKS =
  "for _, key in ipairs(redis.call('KEYS', 'medusa_lock:*')) do redis.call('DEL', key) end return 'OK'"

/** Where nobody is asked for a password, Debian's package is installed. @throws one line that says how to get it */
function findRedisServer(): string {
  const named = process.env["REDIS_SERVER_PATH"]
  const command = named || "redis-server"
  const runs = (): boolean => spawnSync(command, ["--version"]).status === 0
  if (!runs() && (named || !installRedis() || !runs())) {
    throw new Error(
      named
        ? `REDIS_SERVER_PATH names ${named}, which cannot be run.`
        : "redis-server is missing and could not be installed. Install it (Debian: apt-get install redis-server, macOS: brew install redis) or name it in REDIS_SERVER_PATH."
    )
  }
  return command
}

/** A Redis of its own on a free loopback port, gone with its files when this process ends. */
export async function startRedis() {
  const command = findRedisServer()
  const directory = mkdtempSync(join(tmpdir(), "medusa-payment-crypto-redis-"))
  const { freePort, keep } = await plain()
  const port = await freePort()
  const kept = keep({
    commands: [[command, "--bind", "127.0.0.1", "--port", String(port), "--save", "", "--dir", directory]],
    remove: [directory],
  })
  const answers = () =>
    send(port, "PING")
      .then(() => true)
      .catch(() => false)
  const hasStarted = await waitUntil(answers, (isUp) => isUp || !kept.alive(), START_TIMEOUT_MS).catch(
    () => false
  )
  if (!hasStarted) {
    await kept.stop()
    throw new Error(`redis-server did not start:\n${(await kept.ended).tail}`)
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    /** Takes locks of Medusa's as a process does that is killed then; they end after two minutes. */
    leaveLocks: (keys: string[]) =>
      Promise.all(keys.map((key) => send(port, `SET medusa_lock:${key} killed EX 120`))),
    /** Ends every lock of Medusa's now, as two minutes do for those of a process that is dead. */
    endLocks: () => send(port, `EVAL "${END_LOCKS}" 0`),
    /** Loses everything, as a Redis without persistence does when it is restarted. */
    flush: () => send(port, "FLUSHALL"),
    /** Answers nobody for so long. */
    pause: (ms: number) => send(port, `CLIENT PAUSE ${ms} ALL`),
    stop: kept.stop,
  }
}

function installRedis(): boolean {
  const install =
    "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server"
  const [program, args] = process.getuid?.() === 0 ? ["sh", []] : ["sudo", ["-n", "sh"]]
  const options = { stdio: "inherit", timeout: INSTALL_TIMEOUT_MS } as const
  return spawnSync(program, [...args, "-c", install], options).status === 0
}

/** One command over the wire, as telnet would send it. */
async function send(port: number, command: string): Promise<void> {
  const socket = connect(port, "127.0.0.1")
  try {
    socket.write(`${command}\r\n`)
    const [answer] = await once(socket, "data")
    if (String(answer).startsWith("-")) {
      throw new Error(`Redis answered ${String(answer).trim()}`)
    }
  } finally {
    socket.destroy()
  }
}
