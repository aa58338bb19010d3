import { readFileSync } from "node:fs"

/** Versions of this plugin and of Medusa, as one text: another text means that one of them was changed. */
export function readVersions(): string {
  return ["medusa-payment-crypto", "@medusajs/medusa"]
    .map((name) => `${name} ${readVersion(name)}`)
    .join(", ")
}

function readVersion(name: string): string {
  const file = readFileSync(require.resolve(`${name}/package.json`), "utf8")
  return (JSON.parse(file) as { version: string }).version
}
