import { readFileSync } from "node:fs"
import path from "node:path"
import { GUARDS } from "./guards"

const ROOT = path.resolve(__dirname, "../..")

describe.each(GUARDS)('the guard "$name"', ({ file, code, spec, test }) => {
  it("stands exactly once in its file", () => {
    const source = readFileSync(path.join(ROOT, "src", file), "utf8")
    expect(source.split(code)).toHaveLength(2)
  })

  it("names a test there is", () => {
    const file = path.join(ROOT, "integration-tests/http", `${spec}.spec.ts`)
    expect(readFileSync(file, "utf8")).toContain(`("${test}`)
  })
})
