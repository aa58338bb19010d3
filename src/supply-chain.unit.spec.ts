import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"

interface Manifest {
  dependencies: Record<string, string>
  scripts: Record<string, string>
}
interface Lock {
  packages: Record<
    string,
    { version: string; integrity?: string; hasInstallScript?: true; dependencies?: object }
  >
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(path.resolve(__dirname, "..", file), "utf8"))
}

const { dependencies, scripts } = read("package.json") as Manifest
const { packages } = read("package-lock.json") as Lock

describe("installing the package", () => {
  it("brings exactly undici and zod, in ranges that take security patches", () => {
    expect(dependencies).toEqual({ undici: "~7.30.2", zod: "^4.2.0" })
  })

  it.each([
    ["undici", "7.30.2"],
    ["zod", "4.2.0"],
  ])("%s brings nothing itself and runs nothing", (name, version) => {
    const locked = packages[`node_modules/${name}`]
    // What we test with is one exact version each.
    expect(locked).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) })
    expect([locked?.dependencies, locked?.hasInstallScript]).toEqual([undefined, undefined])
  })

  it("gives a store no file of the sandbox: nothing that it loads imports one", () => {
    const src = path.resolve(__dirname)
    const sources = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
      (name) => /\.tsx?$/.test(name) && !name.endsWith(".spec.ts")
    )
    const importing = sources.filter((name) =>
      /(?:from|import|require)\s*\(?\s*["'][^"']*sandbox/.test(readFileSync(path.join(src, name), "utf8"))
    )
    expect(sources.length).toBeGreaterThan(200)
    expect(importing).toEqual([])
  })

  it("runs nothing of ours either", () => {
    const atInstall = ["preinstall", "install", "postinstall", "prepare"]
    expect(Object.keys(scripts).filter((name) => atInstall.includes(name))).toEqual([])
  })
})
