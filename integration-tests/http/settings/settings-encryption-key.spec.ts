import { describeSettings, ENCRYPTION_KEY, KEY, OTHER_KEY } from "../../support/settings-under-test"

describeSettings("settings saved in the admin", ({ store, get, post, complete, stored }) => {
  describe("without the right encryption key", () => {
    it.each([
      ["missing", ""],
      ["malformed", "not a key"],
    ])("refuse secrets and name the variable when it is %s; the rest can be saved", async (state, key) => {
      process.env[ENCRYPTION_KEY] = key
      const refused = await post(complete())
      expect([refused.status, refused.data.code, refused.data.state]).toEqual([400, "encryption_key", state])
      expect(refused.data.message).toContain(ENCRYPTION_KEY)
      expect(await stored()).toBeUndefined()
      expect((await post({ version: 0, timeout_ms: 2000 })).status).toBe(200)
    })

    it("are not configured when it is wrong, are not overwritten by other settings, and work again when it is right", async () => {
      await post(complete())
      const before = (await stored()).secrets
      process.env[ENCRYPTION_KEY] = OTHER_KEY
      const wrong = await get()
      expect(wrong.data.encryption_key).toMatchObject({
        state: "wrong",
        message: expect.stringContaining(ENCRYPTION_KEY),
      })
      expect(wrong.data.settings).toMatchObject({
        configured: false,
        secrets: { secret_key: { is_set: true, unreadable: true } },
      })
      expect((await post({ version: 1, timeout_ms: 2000 })).status).toBe(200)
      expect((await stored()).secrets).toEqual(before)
      expect((await store.http.post("/hooks/payment/crypto_default", {})).status).toBe(503)
      expect((await store.shopper().get("/regions")).status).toBe(200)
      process.env[ENCRYPTION_KEY] = KEY
      expect((await get()).data.settings.configured).toBe(true)
    })

    it("can be given anew when the key is lost", async () => {
      await post(complete())
      process.env[ENCRYPTION_KEY] = OTHER_KEY
      const saved = await post(complete({ version: 1 }))
      expect([saved.status, saved.data.settings?.configured]).toEqual([200, true])
    })

    it("rotate: both keys open, the next save seals with the new one, then the old one can go", async () => {
      await post(complete())
      process.env[ENCRYPTION_KEY] = `${OTHER_KEY},${KEY}`
      expect((await get()).data.settings.configured).toBe(true)
      expect((await post({ version: 1 })).status).toBe(200)
      process.env[ENCRYPTION_KEY] = OTHER_KEY
      expect((await get()).data).toMatchObject({
        settings: { configured: true },
        encryption_key: { state: "present" },
      })
    })
  })
})
