import { startKit, type Kit } from "./testing-kit.spec"

describe("control API", () => {
  let kit: Kit
  let id: string
  beforeEach(async () => {
    kit = await startKit()
    id = await kit.create()
  })
  afterEach(() => kit.close())

  const status = async () => (await kit.read(id)).payment_status as string

  describe("pay", () => {
    it("answers the true record at once", async () => {
      const { body } = await kit.control(`payments/${id}/pay`, { notify: false })
      expect(body).toMatchObject({ payment_status: "PAID", reads_say: "PAID", paid_at: expect.any(String) })
    })

    it("stays unseen by reads until revealed", async () => {
      await kit.control(`payments/${id}/pay`, { visible: false, notify: false })
      expect(await kit.read(id)).toMatchObject({ payment_status: "UNPAID", ref_id: null, paid_amount: null })
      await kit.control(`payments/${id}/reveal`)
      expect(await status()).toBe("PAID")
    })

    it("stays unseen for so many reads", async () => {
      await kit.control(`payments/${id}/pay`, { visibleAfterReads: 2, notify: false })
      expect([await status(), await status(), await status()]).toEqual(["UNPAID", "UNPAID", "PAID"])
    })

    it("notifies PAID although reads do not show it", async () => {
      await kit.control(`payments/${id}/pay`, { visible: false, wait: true })
      expect(kit.receiver.received[0]?.body.data["status"]).toBe("PAID")
    })

    it("can record another amount and currency than asked", async () => {
      await kit.control(`payments/${id}/pay`, { amount: "1.5", currencySymbol: "AED", notify: false })
      expect(await kit.read(id)).toMatchObject({ amount: "1.50000000000000", currency_symbol: "AED" })
    })

    it("is refused the second time and credits nothing twice", async () => {
      await kit.control(`payments/${id}/pay`, { notify: false })
      expect((await kit.control(`payments/${id}/pay`)).status).toBe(409)
      expect((await kit.call("GET", "/v1/api/balances/USD")).body.data.value).toBe("19.80990000000000")
    })

    it("refuses a coin it does not know", async () => {
      expect((await kit.control(`payments/${id}/pay`, { coin: "SHELL" })).status).toBe(400)
    })
  })

  describe("record", () => {
    const listed = async () => (await kit.call("GET", "/v1/api/payments")).body.data as unknown[]

    it("changes what reads and lists show, to any value, and nothing else", async () => {
      const answer = await kit.control(`payments/${id}/record`, {
        fields: { ref_id: "a\u0000b", payer_email_address: null, fee_paid_by: 7 },
        without: ["payment_link"],
      })
      const bent = {
        ref_id: "a\u0000b",
        payer_email_address: null,
        fee_paid_by: 7,
        amount: "20.01000000000000",
      }
      const read = await kit.read(id)
      expect(read).toMatchObject(bent)
      expect(read).not.toHaveProperty("payment_link")
      expect([answer.body, await listed()]).toEqual([read, [read]])
      expect((await kit.call("GET", `/control/payments/${id}`)).body.ref_id).toBeNull()
    })

    it("holds while the payment goes on, until the next call", async () => {
      await kit.control(`payments/${id}/record`, { fields: { payment_amount: "1E-8" } })
      await kit.control(`payments/${id}/pay`, { notify: false })
      expect(await kit.read(id)).toMatchObject({ payment_status: "PAID", payment_amount: "1E-8" })
      await kit.control(`payments/${id}/record`)
      expect((await kit.read(id)).payment_amount).toMatch(/^20\.01/)
    })

    it.each([[{ field: {} }], [{ fields: [] }], [{ without: "ref_id" }], [{ without: [1] }]])(
      "refuses %j",
      async (body) => {
        expect((await kit.control(`payments/${id}/record`, body)).status).toBe(400)
      }
    )
  })

  describe("list", () => {
    const list = async () => (await kit.call("GET", "/v1/api/payments")).body

    it.each([[null], ["text"], [{ payment_request_id: 5 }]])(
      "puts %j in the list as it is",
      async (record) => {
        expect((await kit.control("list", { record })).body).toEqual([record])
        const { data, pagination } = await list()
        expect(data).toEqual([record, await kit.read(id)])
        expect(pagination.total_count).toBe(2)
        await kit.call("DELETE", "/control/list")
        expect((await list()).data).toEqual([await kit.read(id)])
      }
    )

    it("is emptied of such records by a reset, and refuses none", async () => {
      await kit.control("list", { record: 1 })
      await kit.control("reset")
      expect((await list()).data).toEqual([])
      expect((await kit.control("list")).status).toBe(400)
    })
  })

  it("pending shows PENDING on reads", async () => {
    await kit.control(`payments/${id}/pending`)
    expect(await status()).toBe("PENDING")
  })

  it("status takes any word", async () => {
    await kit.control(`payments/${id}/status`, { status: "EXPIRED" })
    expect(await status()).toBe("EXPIRED")
  })

  it("decline leaves the request UNPAID and payable", async () => {
    await kit.control(`payments/${id}/decline`, { notify: false })
    expect(await status()).toBe("UNPAID")
    expect((await kit.control(`payments/${id}/pay`)).status).toBe(200)
  })

  it("calls show method, path, headers and body as they came, and can be emptied", async () => {
    await kit.call("DELETE", "/control/calls")
    await kit.call("GET", `/v1/api/payments/${id}?x=1`, undefined, { Authorization: "Bearer t0ken" })
    expect((await kit.call("GET", "/control/calls")).body).toEqual([
      {
        at: expect.any(Number),
        method: "GET",
        path: `/v1/api/payments/${id}`,
        query: "?x=1",
        endpoint: "read",
        payment_request_id: id,
        headers: expect.objectContaining({ authorization: "Bearer t0ken" }),
        body: "",
        status: 200,
        fault: null,
      },
    ])
  })

  it("reset forgets requests, faults, calls, notifications and settings", async () => {
    await kit.control("faults", { endpoint: "any", kind: "status" })
    await kit.control("settings", { feePaidBy: "BUYER" })
    await kit.control("reset")
    const all = ["payments", "faults", "calls", "notifications"].map((each) =>
      kit.call("GET", `/control/${each}`)
    )
    expect((await Promise.all(all)).map((each) => each.body)).toEqual([[], [], [], []])
    expect((await kit.call("GET", "/control/settings")).body.feePaidBy).toBe("MERCHANT")
  })

  it("reset drops notifications that wait", async () => {
    await kit.control("settings", { notificationDelayMs: 60_000 })
    await kit.control(`payments/${id}/pay`)
    await kit.control("reset")
    expect((await kit.call("GET", "/control/notifications")).body).toEqual([])
  })

  it.each([
    ["settings", { feePaidBye: "BUYER" }, /^unknown field feePaidBye; known: feePaidBy,/],
    ["settings", { notificationDelayMs: -1 }, /^notificationDelayMs must be a whole number/],
    ["faults", { endpoint: "read", kind: "fire" }, /^kind must be one of status, timeout/],
    ["faults", { kind: "status" }, /^endpoint is required$/],
    ["faults", { endpoint: "read", kind: "status", times: 0 }, /^times must be at least 1$/],
    ["webhook", { url: "ftp://x" }, /^url must be an http or https address/],
  ])("%s refuses %j and says why", async (path, body, why) => {
    const answer = await kit.control(path, body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(why)
  })

  it.each([
    ["GET", "/control/nothing"],
    ["POST", "/control/payments/unknown/pay"],
    ["POST", "/control/payments/ID/fly"],
    ["POST", "/control/payments/ID/constructor"],
  ])("%s %s is 404", async (method, path) => {
    expect((await kit.call(method, path.replace("ID", id))).status).toBe(404)
  })

  it("refuses a press that comes from another web site", async () => {
    const answer = await kit.call("POST", "/control/reset", {}, { origin: "https://evil.example" })
    expect(answer.status).toBe(403)
  })
})
