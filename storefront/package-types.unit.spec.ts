import { exports as entries, typesVersions } from "../package.json"

type Entry = string | { types?: string; require?: string | { types?: string } }

const typesOf = (entry: Entry): string | undefined => {
  const own = typeof entry === "string" ? {} : entry
  return own.types ?? (typeof own.require === "object" ? own.require.types : undefined)
}

// The Next.js starter has `moduleResolution: "node"`, which reads `typesVersions` and knows nothing of `exports`.
describe("typesVersions", () => {
  it("names the types of each entry that has types", () => {
    const expected = Object.entries(entries as Record<string, Entry>).flatMap(([path, entry]) => {
      const types = typesOf(entry)
      return types === undefined ? [] : [[path.replace(/^\.\//, ""), [types]]]
    })
    expect(expected.map(([path]) => path)).toEqual(
      expect.arrayContaining(["storefront", "storefront/react", "gateway", "workflows", "sandbox"])
    )
    expect(typesVersions).toEqual({ "*": Object.fromEntries(expected) })
  })
})
