import { REQUEST, startKit, type Kit } from "./testing-kit.spec"

const FOURTEEN = /^\d+\.\d{14}$/

describe("gateway API", () => {
  let kit: Kit
  beforeEach(async () => {
    kit = await startKit()
  })
  afterEach(() => kit.close())

  describe("create", () => {
    it("answers the whole record, PENDING, crypto fields null, with is_successful and no pagination", async () => {
      const { status, body } = await kit.call("POST", "/v1/api/payments", REQUEST)
      const id = body.data.payment_request_id
      expect(status).toBe(200)
      expect(body).toEqual({
        data: {
          payment_request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          payment_link: `${kit.sandbox.url}/pay/${id}`,
          currency_symbol: "USD",
          amount: "20.01000000000000",
          note: "payses_1",
          payer_email_address: "amira@example.com",
          payer_first_name: "Amira",
          payer_last_name: null,
          payment_currency: null,
          payment_amount: null,
          receiving_amount: null,
          fee_paid_by: null,
          payment_fee_amount: null,
          paid_amount: null,
          ref_id: null,
          payment_status: "PENDING",
        },
        message: "Operation was successful",
        is_successful: true,
      })
    })

    it.each([
      ["symbol", "EUR", "symbol must be one of AED, USD"],
      ["symbol", undefined, "symbol is required"],
      ["amount", 20.01, "amount must be a string"],
      ["amount", "0.00", "amount must be a plain decimal string above 0, for example 20.01"],
      ["amount", "-1", "amount must be a plain decimal string above 0, for example 20.01"],
      ["amount", "1e3", "amount must be a plain decimal string above 0, for example 20.01"],
      ["amount", "1,5", "amount must be a plain decimal string above 0, for example 20.01"],
      ["ipn_success_url", "javascript:alert(1)", "ipn_success_url must be an http or https address"],
      ["ipn_failed_url", null, "ipn_failed_url is required"],
      ["payer_email_address", "nobody", "payer_email_address must be an e-mail address"],
      ["payer_email_address", "", "payer_email_address is required"],
      ["note", 7, "note must be a string or null"],
    ])("refuses %s = %p", async (field, value, message) => {
      const answer = await kit.call("POST", "/v1/api/payments", { ...REQUEST, [field]: value })
      expect(answer).toEqual({ status: 422, body: { data: null, message, is_successful: false } })
    })

    it("refuses a body that is not JSON", async () => {
      const answer = await kit.call("POST", "/v1/api/payments", "symbol=USD")
      expect(answer.status).toBe(400)
      expect(answer.body.is_successful).toBe(false)
    })
  })

  describe("read", () => {
    it("says UNPAID before payment, with successful and pagination", async () => {
      const id = await kit.create()
      const { body } = await kit.call("GET", `/v1/api/payments/${id}`)
      expect(body).toEqual({
        data: expect.objectContaining({ payment_request_id: id, payment_status: "UNPAID", ref_id: null }),
        pagination: { total_count: 1, page_count: 1, page_size: 1 },
        message: "Operation was successful",
        successful: true,
      })
    })

    it("answers 404 for an unknown id", async () => {
      const answer = await kit.call("GET", "/v1/api/payments/nothing")
      expect(answer).toEqual({
        status: 404,
        body: { data: null, message: "Payment request not found", successful: false },
      })
    })

    it("works under any prefix that ends in v1", async () => {
      const id = await kit.create()
      expect((await kit.call("GET", `/api/v1/api/payments/${id}`)).status).toBe(200)
    })

    it("gives the coin, fee and net amount with 14 digits once paid; the merchant bears the fee", async () => {
      const id = await kit.create()
      await kit.control(`payments/${id}/pay`, { coin: "BTC" })
      expect(await kit.read(id)).toMatchObject({
        payment_status: "PAID",
        payment_currency: "BTC",
        payment_amount: "0.00031265625000",
        receiving_amount: "19.80990000000000",
        payment_fee_amount: "0.20010000000000",
        fee_paid_by: "MERCHANT",
        paid_amount: "0.00031265625000",
        ref_id: expect.stringMatching(/^REF\d{12}$/),
      })
    })

    it("credits the whole amount when the payer bears the fee", async () => {
      const id = await kit.create()
      await kit.control("settings", { feePaidBy: "BUYER" })
      await kit.control(`payments/${id}/pay`, { coin: "USDT" })
      expect(await kit.read(id)).toMatchObject({
        payment_amount: "20.21010000000000",
        receiving_amount: "20.01000000000000",
        fee_paid_by: "BUYER",
      })
    })

    it("converts dirhams at the peg", async () => {
      const id = await kit.create({ symbol: "AED", amount: "36.725" })
      await kit.control(`payments/${id}/pay`, { coin: "USDT" })
      expect((await kit.read(id)).payment_amount).toBe("10.00000000000000")
    })
  })

  describe("list", () => {
    const ids = async (query: string): Promise<string[]> =>
      (await kit.call("GET", `/v1/api/payments${query}`)).body.data.map(
        (each: { payment_request_id: string }) => each.payment_request_id
      )

    it("pages newest first, with successful and pagination", async () => {
      const [first, second, third] = [await kit.create(), await kit.create(), await kit.create()]
      const { body } = await kit.call("GET", "/v1/api/payments?page_size=2")
      expect(body).toEqual({
        data: [
          expect.objectContaining({ payment_request_id: third }),
          expect.objectContaining({ payment_request_id: second }),
        ],
        pagination: { total_count: 3, page_count: 2, page_size: 2 },
        message: "Operation was successful",
        successful: true,
      })
      expect(await ids("?page=2&page_size=2")).toEqual([first])
      expect(await ids("?page=3&page_size=2")).toEqual([])
    })

    it("is an empty page for an empty account", async () => {
      const { body } = await kit.call("GET", "/v1/api/payments")
      expect(body.data).toEqual([])
      expect(body.pagination).toEqual({ total_count: 0, page_count: 0, page_size: 20 })
    })

    it("gives the first page for ever when told to ignore page", async () => {
      await kit.create()
      await kit.create()
      await kit.control("settings", { listBehaviour: "ignore_page", listPageSize: 1 })
      expect(await ids("?page=2")).toEqual(await ids("?page=1"))
    })

    it("gives each page twice and then the last for ever when told to repeat", async () => {
      const [old, young] = [await kit.create(), await kit.create()]
      await kit.control("settings", { listBehaviour: "repeat_pages", listPageSize: 1 })
      const pages = [1, 2, 3, 4, 9].map((page) => ids(`?page=${page}`))
      expect((await Promise.all(pages)).flat()).toEqual([young, young, old, old, old])
    })

    it("changes the order between reads when told to shuffle, losing nobody", async () => {
      const all = new Set<string>()
      for (let i = 0; i < 12; i++) {
        all.add(await kit.create())
      }
      await kit.control("settings", { listBehaviour: "shuffle" })
      const [one, two] = [await ids(""), await ids("")]
      expect(one).not.toEqual(two)
      expect(new Set(one)).toEqual(all)
      expect(new Set(two)).toEqual(all)
    })
  })

  describe("balances", () => {
    it("start at zero in both currencies, with is_successful and no pagination", async () => {
      const zero = { value: "0.00000000000000", locked: "0.00000000000000" }
      expect((await kit.call("GET", "/v1/api/balances")).body).toEqual({
        data: [
          { asset: "AED", ...zero },
          { asset: "USD", ...zero },
        ],
        message: "Operation was successful",
        is_successful: true,
      })
    })

    it("grow by the receiving amount", async () => {
      await kit.control(`payments/${await kit.create()}/pay`)
      const { body } = await kit.call("GET", "/v1/api/balances/USD")
      expect(body.data.value).toBe("19.80990000000000")
      expect(body.data.locked).toMatch(FOURTEEN)
    })

    it("answer 404 for an unknown symbol", async () => {
      const answer = await kit.call("GET", "/v1/api/balances/DOGE")
      expect(answer.status).toBe(404)
      expect(answer.body.is_successful).toBe(false)
    })
  })

  it("answers 405 for a method the interface does not have", async () => {
    expect((await kit.call("DELETE", `/v1/api/payments/${await kit.create()}`)).status).toBe(405)
  })
})
