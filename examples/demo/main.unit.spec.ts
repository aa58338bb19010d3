import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { engines } from "../../package.json"

/** Runs the demo's beginning as if Node were of another version. */
function startOn(version: string) {
  const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`
  return spawnSync(process.execPath, ["--import", preload, join(__dirname, "main.mjs"), "--help"], {
    encoding: "utf8",
  })
}

describe("the demo", () => {
  it.each(["20.19.0", "20.20.1", "22.12.0", "24.0.0"])("starts on Node %s", (version) => {
    expect(startOn(version)).toMatchObject({ status: 0, stdout: expect.stringContaining("npm run demo") })
  })

  it.each(["18.20.8", "20.18.3", "21.7.3", "22.9.0", "22.11.0"])(
    "says what Node it needs on %s",
    (version) => {
      expect(startOn(version)).toMatchObject({
        status: 1,
        stderr: `The demo needs Node ${engines.node}; this is ${version}.\n`,
      })
    }
  )
})
