import { startKit, type Kit } from "../testing-kit"

describe("payment page", () => {
  let kit: Kit
  let id: string
  beforeEach(async () => {
    kit = await startKit({ merchantName: "Lulu & <Sons>" })
    id = await kit.create()
  })
  afterEach(() => kit.close())

  const show = (query = "", headers = {}) => kit.page(`/pay/${id}${query}`, headers)
  const status = async () => (await kit.read(id)).payment_status as string
  const said = async (count: number) =>
    (await kit.receiver.arrived(count)).map((each) => each.body.data["status"])

  it("shows amount, currency, merchant and the amount in each coin", async () => {
    const html = await show()
    for (const text of ["20.01", "USD", "Lulu &amp; &lt;Sons&gt;", "20.01 USDT", "0.00031266 BTC"]) {
      expect(html).toContain(text)
    }
  })

  it.each(["note", "payer_email_address", "payer_first_name"])("escapes a hostile %s", async (field) => {
    id = await kit.create({ [field]: `"><script>alert(1)</script>@x.yz`.replace(/ /g, "") })
    expect(await show()).not.toContain("<script")
    expect(await kit.page("/")).not.toContain("<script")
  })

  it("holds no script and loads nothing from anywhere", async () => {
    const html = await show()
    expect(html).not.toMatch(/<script|\son\w+=|\bsrc=|@import|url\(/)
    expect(html.match(/<link [^>]*href="(?!data:)/)).toBeNull()
  })

  it("allows the way back to the shop but no framing", async () => {
    const policy = (await fetch(`${kit.sandbox.url}/pay/${id}`)).headers.get("content-security-policy")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain("form-action")
  })

  it("gives every payment request a sample address no wallet accepts", async () => {
    await kit.press(id, "coin:BTC")
    expect(await show()).toMatch(/bc1qsandbox0[0-9a-f]{26}/)
  })

  it("is 404 for an unknown payment request", async () => {
    expect((await fetch(`${kit.sandbox.url}/pay/nothing`)).status).toBe(404)
  })

  describe("language", () => {
    it.each([
      ["", "ar-AE,ar;q=0.9,en;q=0.8", 'lang="ar" dir="rtl"'],
      ["", "fr,en;q=0.5,ar;q=0.4", 'lang="en" dir="ltr"'],
      ["", "en;q=0.1,ar;q=0.4", 'lang="ar" dir="rtl"'],
      ["", "fr", 'lang="en" dir="ltr"'],
      ["?lang=ar", "en", 'lang="ar" dir="rtl"'],
      ["?lang=en", "ar", 'lang="en" dir="ltr"'],
    ])("with %p and Accept-Language %s is %s", async (query, accept, expected) => {
      expect(await show(query, { "accept-language": accept })).toContain(`<html ${expected}>`)
    })

    it("stays through a button", async () => {
      const response = await kit.press(id, "coin:ETH", "?lang=ar")
      expect(response.headers.get("location")).toBe(`/pay/${id}?lang=ar`)
    })
  })

  describe("buttons", () => {
    it("pay marks it PAID, notifies, and returns to the success URL", async () => {
      const response = await kit.press(id, "pay")
      expect(response.status).toBe(303)
      expect(response.headers.get("location")).toBe("http://shop.test/return?session_id=payses_1")
      expect(await said(1)).toEqual(["PAID"])
      expect(await status()).toBe("PAID")
    })

    it("pay uses the coin chosen before", async () => {
      await kit.press(id, "coin:ETH")
      await kit.press(id, "pay")
      expect((await kit.read(id)).payment_currency).toBe("ETH")
    })

    it("pay pressed twice pays and notifies once", async () => {
      await kit.press(id, "pay")
      const again = await kit.press(id, "pay")
      expect(again.headers.get("location")).toBe("http://shop.test/return?session_id=payses_1")
      expect((await kit.call("GET", "/control/notifications")).body).toHaveLength(1)
    })

    it("decline leaves it UNPAID and returns to the failed URL", async () => {
      const response = await kit.press(id, "decline")
      expect(response.headers.get("location")).toBe("http://shop.test/failed")
      expect(await status()).toBe("UNPAID")
      expect(await show()).toContain("You declined this payment")
    })

    it("twice sends the same notification two times", async () => {
      await kit.press(id, "twice")
      expect(await said(2)).toEqual(["PAID", "PAID"])
    })

    it("out of order sends UNPAID after PAID", async () => {
      await kit.press(id, "out_of_order")
      expect(await said(2)).toEqual(["PAID", "UNPAID"])
    })

    it("lost pays and tells nobody", async () => {
      const response = await kit.press(id, "lost")
      expect(response.headers.get("location")).toBe("http://shop.test/return?session_id=payses_1")
      expect(await status()).toBe("PAID")
      expect((await kit.call("GET", "/control/notifications")).body).toEqual([])
    })

    it("late returns to the failed URL first; the payment follows", async () => {
      await kit.control("settings", { latePaymentMs: 0 })
      const response = await kit.press(id, "late")
      expect(response.headers.get("location")).toBe("http://shop.test/failed")
      expect(await said(1)).toEqual(["PAID"])
      expect(await status()).toBe("PAID")
    })

    it("forge sends a wrong hash and a shifted body, pays nothing, and shows the shop's answers", async () => {
      kit.receiver.answers.push(401, 200)
      const response = await kit.press(id, "forge")
      expect(response.headers.get("location")).toBe(`/pay/${id}`)
      expect(await said(2)).toEqual(["PAID", "PAID"])
      expect(await status()).toBe("UNPAID")
      expect(await show("?lang=en")).toMatch(/forged: hash<\/bdi><bdi dir="ltr" class="bad">401/)
    })

    it("refuses a button it does not have", async () => {
      expect((await kit.press(id, "steal")).status).toBe(400)
    })

    it("once paid the page thanks and offers the way back, and no buttons", async () => {
      await kit.control(`payments/${id}/pay`, { notify: false })
      const html = await show("?lang=en")
      expect(html).toContain("Payment received")
      expect(html).toContain('href="http://shop.test/return?session_id=payses_1"')
      expect(html).not.toContain("<button")
    })
  })

  it("the overview lists payment requests and what became of their notifications", async () => {
    kit.receiver.answers.push(503)
    await kit.control("settings", { notificationAttempts: 1 })
    await kit.control(`payments/${id}/pay`, { wait: true })
    const html = await kit.page("/")
    expect(html).toContain(`href="/pay/${id}"`)
    expect(html).toMatch(/class="bad">503/)
  })
})
