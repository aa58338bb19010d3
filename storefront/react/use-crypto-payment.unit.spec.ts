import { prepareWith } from "./use-crypto-payment"

describe("what a server action has prepared", () => {
  it("is taken as it is", async () => {
    const prepared = { status: "already_paid", sessionId: "payses_1" } as const
    expect(await prepareWith({ prepare: async () => await Promise.resolve(prepared) })).toBe(prepared)
  })

  it("is thrown with its code when it is a failure, as an error of its own comes without one", async () => {
    const failure = { status: "failed", code: "refused" } as const
    const preparing = prepareWith({ prepare: async () => await Promise.resolve(failure) })
    await expect(preparing).rejects.toMatchObject({ name: "CryptoPaymentError", code: "refused" })
  })
})
