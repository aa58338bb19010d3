import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { listForeignPackages } from "./admin-packages"

describe("the packages that the admin pages share with the dashboard", () => {
  let folder: string
  const store = (...parts: string[]): string => path.join(folder, "node_modules", ...parts)
  const plugin = (): string => store("medusa-payment-crypto", "index.js")
  const foreign = () => listForeignPackages(plugin(), folder)
  const install = async (...place: string[]): Promise<void> => {
    await mkdir(store(...place), { recursive: true })
    const version = `${String(place.length)}.0.0`
    await writeFile(store(...place, "package.json"), JSON.stringify({ version }))
  }

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "admin-packages-"))
    await install("medusa-payment-crypto")
    await install("@tanstack/react-query")
    await install("react-i18next")
    await install("react-router-dom")
  })
  afterEach(async () => {
    await rm(folder, { recursive: true })
  })

  it("are no concern without a dashboard", () => {
    expect(foreign()).toEqual([])
  })

  it("are the same where the store has one copy of each", async () => {
    await install("@medusajs/dashboard")
    expect(foreign()).toEqual([])
  })

  it.each([
    ["dashboard", "@medusajs/dashboard", { ours: "1.0.0", theirs: "3.0.0" }],
    ["plugin", "medusa-payment-crypto", { ours: "3.0.0", theirs: "1.0.0" }],
  ])("are named where the %s has a copy of its own", async (_, owner, versions) => {
    await install("@medusajs/dashboard")
    await install(owner, "node_modules", "react-router-dom")
    expect(foreign()).toEqual([{ name: "react-router-dom", ...versions }])
  })

  it("are compared with the store's dashboard, also for a plugin that is linked from a folder with one", async () => {
    await install("@medusajs/dashboard")
    await install("medusa-payment-crypto", "node_modules", "@medusajs/dashboard")
    await install("medusa-payment-crypto", "node_modules", "react-i18next")
    expect(foreign()).toEqual([{ name: "react-i18next", ours: "3.0.0", theirs: "1.0.0" }])
  })

  it("are compared with the dashboard that only the store finds, as in a strict layout", async () => {
    await install("@medusajs/dashboard")
    const none = { ours: null, theirs: "1.0.0" }
    expect(listForeignPackages(path.join(tmpdir(), "index.js"), folder)).toEqual(
      ["react-router-dom", "@tanstack/react-query", "react-i18next"].map((name) => ({
        name,
        ...none,
      }))
    )
  })
})
