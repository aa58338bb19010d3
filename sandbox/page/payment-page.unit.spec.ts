import { createHash } from "node:crypto"
import { runInNewContext } from "node:vm"
import { startKit, type Kit } from "../testing-kit.spec"

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
    expect(await show()).not.toContain("<script>alert")
    expect(await kit.page("/")).not.toContain("<script>alert")
  })

  it("holds one script, which copies and is the only one that may run, and loads nothing from anywhere", async () => {
    const html = await show()
    const scripts = [...html.matchAll(/<script>([^<]*)<\/script>/g)].map(([, text = ""]) => text)
    expect(scripts).toHaveLength(1)
    const hash = createHash("sha256")
      .update(scripts[0] ?? "")
      .digest("base64")
    const policy = (await fetch(`${kit.sandbox.url}/pay/${id}`)).headers.get("content-security-policy")
    expect(policy).toContain(`script-src 'sha256-${hash}';`)
    expect(html).not.toMatch(/<script[^>]|\son\w+=|\bsrc=|@import|url\(/)
    expect(html.match(/<link [^>]*href="(?!data:)/)).toBeNull()
  })

  it.each([
    ["shows", { clipboard: {} }, false],
    ["hides", {}, true],
  ])("%s the copy buttons in a browser with %j", async (_, navigator, hidden) => {
    const html = await show()
    expect(html).toContain('class="copy" hidden ')
    const button = { hidden: true }
    const document = { querySelectorAll: () => [button], addEventListener: () => undefined }
    runInNewContext(/<script>([^<]*)/.exec(html)?.[1] ?? "", { navigator, document })
    expect(button.hidden).toBe(hidden)
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

  it.each([
    ["en", 'lang="en" dir="ltr"', "Not found"],
    ["ar", 'lang="ar" dir="rtl"', "الصفحة غير موجودة"],
  ])("is 404 for an unknown payment request (%s)", async (language, html, title) => {
    const response = await fetch(`${kit.sandbox.url}/pay/nothing?lang=${language}`)
    expect(response.status).toBe(404)
    const text = await response.text()
    expect(text).toContain(`<html ${html}>`)
    expect(text).toContain(`<h1>${title}</h1>`)
    expect(text).toContain(`href="/?lang=${language}"`)
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

    it("part leaves it UNPAID, shows the part, and returns to the success URL", async () => {
      expect(await show()).not.toContain("A part of the coins")
      const response = await kit.press(id, "part")
      expect(response.headers.get("location")).toBe("http://shop.test/return?session_id=payses_1")
      expect(await kit.read(id)).toMatchObject({ payment_status: "UNPAID", paid_amount: "6.67000000000000" })
      expect(await show()).toContain("A part of the coins")
    })

    it("twice sends the same notification two times", async () => {
      await kit.press(id, "twice")
      expect(await said(2)).toEqual(["PAID", "PAID"])
    })

    it("out of order sends UNPAID after PAID", async () => {
      await kit.press(id, "out_of_order")
      expect(await said(2)).toEqual(["PAID", "UNPAID"])
    })

    it.each([
      ["too_little", "10.01000000000000", "USD"],
      ["too_much", "30.01000000000000", "USD"],
      ["other_currency", "20.01000000000000", "AED"],
    ])("%s pays %s %s and notifies", async (action, amount, currency_symbol) => {
      await kit.press(id, action)
      expect(await kit.read(id)).toMatchObject({
        payment_status: "PAID",
        amount,
        currency_symbol,
      })
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
      expect(await show("?lang=en")).toMatch(/forged: hash<\/span><bdi class="bad">401/)
    })

    it.each([
      ["en", [401, 200], "The shop rejected 1 forged notification. Nothing was paid."],
      ["en", [401, 401], "The shop rejected 2 forged notifications. Nothing was paid."],
      ["ar", [401, 401], "رفض المتجر إشعارين مزورين. لم يُدفع شيء."],
    ])("forge says in %s after %j that nothing was paid", async (language, answers, text) => {
      kit.receiver.answers.push(...answers)
      await kit.press(id, "forge")
      expect(await show(`?lang=${language}`)).toContain(text)
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

  it.each([
    ["en", 10_000, "arrive 10 seconds later"],
    ["en", 1000, "arrive 1 second later"],
    ["ar", 10_000, "بعد 10 ثوانٍ."],
    ["ar", 2000, "بعد ثانيتين."],
    ["ar", 11_000, "بعد 11 ثانية."],
  ])("says in %s how long a payment of %d ms is late, in its plural form", async (language, ms, text) => {
    await kit.control("settings", { latePaymentMs: ms })
    expect(await show(`?lang=${language}`)).toContain(text)
  })

  it("draws the signs of the coins, and gives amount and address to copy", async () => {
    const html = await show("?lang=en")
    expect(html.match(/<svg class="sign"/g)).toHaveLength(6)
    expect(html).toContain('data-copy="20.01"')
    expect(html).toMatch(/data-copy="T0Sandbox[0-9a-f]{26}"/)
  })

  it("the overview lists payment requests and what became of their notifications", async () => {
    kit.receiver.answers.push(503)
    await kit.control("settings", { notificationAttempts: 1 })
    await kit.control(`payments/${id}/pay`, { wait: true })
    const html = await kit.page("/")
    expect(html).toContain(`href="/pay/${id}"`)
    expect(html).toMatch(
      /data-name="Created \(UTC\)"><bdi class="num" dir="ltr">\d{4}-\d\d-\d\d \d\d:\d\d:\d\d</
    )
    expect(html).toMatch(/class="bad">503/)
  })

  it.each([
    ["en", "decline", "no webhook url", "forged: hash", "No answer: ", "ECONNREFUSED"],
    ["ar", "رفض الدفع", "لا عنوان للإشعارات", "مزور ببصمة خاطئة", "لا رد: ", "ECONNREFUSED"],
  ])("both pages say in %s why notifications were sent and did not arrive", async (language, ...said) => {
    await kit.control("webhook", {})
    await kit.control(`payments/${id}/decline`, { wait: true })
    await kit.control(`payments/${id}/notify`, { tamper: "hash", url: "http://127.0.0.1:1/" })
    for (const html of [await show(`?lang=${language}`), await kit.page(`/?lang=${language}`)]) {
      for (const text of said) {
        expect(html).toContain(text)
      }
    }
  })

  describe("the overview", () => {
    const add = (fields: Record<string, string>) =>
      fetch(`${kit.sandbox.url}/?lang=en`, {
        method: "POST",
        body: new URLSearchParams(fields),
        redirect: "manual",
      })
    const faults = async () => (await kit.call("GET", "/control/faults")).body

    it.each([
      ["?lang=ar", "en", 'lang="ar" dir="rtl"', "طلبات الدفع"],
      ["", "ar", 'lang="ar" dir="rtl"', "طلبات الدفع"],
      ["?lang=en", "ar", 'lang="en" dir="ltr"', "Payment requests"],
    ])("with %p and Accept-Language %s is %s", async (query, accept, expected, title) => {
      const html = await kit.page(`/${query}`, { "accept-language": accept })
      expect(html).toContain(`<html ${expected}>`)
      expect(html).toContain(title)
    })

    it("begins a fault, shows it as active, and ends it", async () => {
      expect(await kit.page("/?lang=en")).toContain("None active")
      const response = await add({ action: "add_fault", endpoint: "create", kind: "status" })
      expect([response.status, response.headers.get("location")]).toEqual([303, "/?lang=en"])
      expect(await faults()).toMatchObject([
        { endpoint: "create", kind: "status", status: 503, times_left: "until_cleared" },
      ])
      expect(await kit.page("/?lang=en")).toMatch(
        /1 active[\s\S]*HTTP error[\s\S]*503[\s\S]*Create · until cleared/
      )
      await add({ action: "add_fault", endpoint: "any", kind: "timeout" })
      expect(await kit.page("/?lang=ar")).toContain("عطلان نشطان")
      await add({ action: "clear_faults" })
      expect(await faults()).toEqual([])
    })

    it.each([
      { action: "add_fault", endpoint: "create", kind: "nothing" },
      { action: "add_fault", endpoint: "nowhere", kind: "status" },
      { action: "steal" },
    ])("refuses %j", async (fields) => {
      expect((await add(fields)).status).toBe(400)
      expect(await faults()).toEqual([])
    })

    it("shows faults that the control API began, with the calls they still strike", async () => {
      await kit.control("faults", { endpoint: "read", kind: "cut_json", times: 2 })
      expect(await kit.page("/?lang=en")).toMatch(/cut_json[\s\S]*Read · calls left: 2/)
    })
  })
})
