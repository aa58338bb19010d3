import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { listForeignPackages } from "./admin-packages"

describe("the packages that the admin pages share with the dashboard", () => {
  let folder: string
  const store = (...parts: string[]): string => path.join(folder, "node_modules", ...parts)
  const plugin = (): string => store("medusa-payment-crypto", "index.js")
  const foreign = (): string[] => listForeignPackages(plugin(), folder)
  const install = async (...place: string[]): Promise<void> => {
    await mkdir(store(...place), { recursive: true })
    await writeFile(store(...place, "index.js"), "")
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
    ["dashboard", "@medusajs/dashboard"],
    ["plugin", "medusa-payment-crypto"],
  ])("are named where the %s has a copy of its own", async (_, owner) => {
    await install("@medusajs/dashboard")
    await install(owner, "node_modules", "react-router-dom")
    expect(foreign()).toEqual(["react-router-dom"])
  })

  it("are compared with the dashboard that only the store finds, as in a strict layout", async () => {
    await install("@medusajs/dashboard")
    await install("medusa-payment-crypto", "node_modules", "react-i18next")
    expect(listForeignPackages(path.join(tmpdir(), "index.js"), folder)).not.toEqual([])
    expect(foreign()).toEqual(["react-i18next"])
  })

  it("are named where the plugin finds none", async () => {
    await install("@medusajs/dashboard", "node_modules", "@tanstack/react-query")
    await rm(store("@tanstack/react-query"), { recursive: true })
    await install("@medusajs/dashboard")
    expect(foreign()).toEqual(["@tanstack/react-query"])
  })
})
