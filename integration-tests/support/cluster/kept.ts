/** A command that cannot outlive this process. See `../keep.mjs`, whose types these are. */
export interface Kept {
  stop: (signal?: NodeJS.Signals) => Promise<void>
  ended: Promise<{ code: number; tail: string }>
  alive: () => boolean
}

export interface KeepOptions {
  commands: string[][]
  cwd?: string
  env?: NodeJS.ProcessEnv
  log?: string
  remove?: string[]
  stopSignal?: NodeJS.Signals
  graceMs?: number
}

export interface Postgres {
  url: (database: string) => string
  createDatabase: (name: string) => Promise<void>
  stop: () => Promise<void>
}

/** Starts commands in process groups of their own, and ends them when this process is gone, however it goes. */
export async function keep(options: KeepOptions): Promise<Kept> {
  return (await load<{ keep: (options: KeepOptions) => Kept }>("../keep.mjs")).keep(options)
}

const postgres = () =>
  load<{
    freePort: () => Promise<number>
    startPostgres: () => Promise<Postgres>
    startMigratedPostgres: () => Promise<Postgres>
  }>("../postgres.mjs")

export const freePort = async () => await (await postgres()).freePort()
export const startPostgres = async () => await (await postgres()).startPostgres()
/** Every database that is created there has the tables of the example store. */
export const startMigratedPostgres = async () => await (await postgres()).startMigratedPostgres()

/** Builds the example store as a merchant would deploy it, unless the build is current. */
export async function buildStore(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const module = await load<{
    buildStore: (env: NodeJS.ProcessEnv, withAdmin: boolean, signal: AbortSignal) => Promise<string>
  }>("../../../examples/demo/builds.mjs")
  await module.buildStore(env, false, signal)
}

/** Runs a command to its end. @throws with the end of its output when it fails */
export async function run(name: string, options: Omit<KeepOptions, "commands"> & { command: string[] }) {
  const { command, ...rest } = options
  const { code, tail } = await (await keep({ commands: [command], ...rest })).ended
  if (code !== 0) {
    throw new Error(`${name} failed:\n${tail}`)
  }
}

/** The scripts the demo shares with us are plain JavaScript modules; a name in a variable keeps tsc from typing them. */
async function load<Module>(file: string): Promise<Module> {
  return (await import(file)) as Module
}
