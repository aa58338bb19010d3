import { settingsProblem } from "./settings-problem"

describe("settingsProblem", () => {
  const secret = { is_set: true, source: "stored", locked: false } as const

  it("tells secrets that cannot be opened from those of another address", () => {
    const problem = "a sentence"
    expect(settingsProblem({ problem: null, secrets: { secret_key: secret } })).toBeNull()
    expect(settingsProblem({ problem, secrets: { secret_key: { ...secret, unreadable: true } } })).toBe(
      "unreadable"
    )
    expect(settingsProblem({ problem, secrets: { secret_key: secret } })).toBe("elsewhere")
  })
})
