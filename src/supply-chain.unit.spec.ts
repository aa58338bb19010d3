import { readFileSync } from "node:fs"
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
  it("brings exactly undici and zod, each at one version", () => {
    expect(Object.keys(dependencies)).toEqual(["undici", "zod"])
    expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })

  it.each(Object.entries(dependencies))("%s brings nothing itself and runs nothing", (name, version) => {
    const locked = packages[`node_modules/${name}`]
    expect(locked).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) })
    expect([locked?.dependencies, locked?.hasInstallScript]).toEqual([undefined, undefined])
  })

  it("runs nothing of ours either", () => {
    const atInstall = ["preinstall", "install", "postinstall", "prepare"]
    expect(Object.keys(scripts).filter((name) => atInstall.includes(name))).toEqual([])
  })
})
