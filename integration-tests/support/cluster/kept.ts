/** CommonJS reaches these plain modules, which the demo shares, with `import()` alone. */
const keeping = () => import("../keep.mjs")
const postgres = () => import("../postgres.mjs")

type KeepOptions = Parameters<Awaited<ReturnType<typeof keeping>>["keep"]>[0]
export type Kept = Awaited<ReturnType<typeof keep>>

/** Starts commands in process groups of their own, and ends them when this process is gone, however it goes. */
export const keep = async (options: KeepOptions) => (await keeping()).keep(options)
export const freePort = async () => await (await postgres()).freePort()
/** Every database that is created there has the tables of the example store. */
export const startMigratedPostgres = async (remove: string[]) =>
  await (await postgres()).startMigratedPostgres(remove)

/** Builds the example store as a merchant would deploy it, unless the build is current. */
export async function buildStore(env: NodeJS.ProcessEnv): Promise<void> {
  const builds = await import("../../../examples/demo/builds.mjs")
  await builds.buildStore(env, false, new AbortController().signal)
}

/** Runs a command to its end. @throws with the end of its output when it fails */
export async function run(
  name: string,
  { command, ...rest }: Omit<KeepOptions, "commands"> & { command: string[] }
) {
  const { code, tail } = await (await keep({ commands: [command], ...rest })).ended
  if (code !== 0) {
    throw new Error(`${name} failed:\n${tail}`)
  }
}
