/** CommonJS reaches these plain modules, which the demo shares, with `import()` alone. */
export const plain = async () => ({
  ...(await import("../keep.mjs")),
  ...(await import("../postgres.mjs")),
  ...(await import("../../../examples/demo/builds.mjs")),
  ...(await import("../../../examples/demo/commands.mjs")),
})

export type Kept = ReturnType<Awaited<ReturnType<typeof plain>>["keep"]>
