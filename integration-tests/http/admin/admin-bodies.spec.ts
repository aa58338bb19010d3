import { describeStore } from "../../support/store-under-test"

describeStore("the body of an admin's request", (store) => {
  const REFUND = "/admin/crypto-payments/cpreq_1/refunds"
  const send = async (body: string, headers: Record<string, string>, login = true): Promise<number> => {
    const own = login ? (await store.admin()).headers : {}
    const options = { headers: { ...own, ...headers }, transformRequest: (data: unknown) => data }
    return (await store.http.post(REFUND, body, options)).status
  }
  const JSON_TYPE = { "content-type": "application/json" }
  const note = (text: string): string => JSON.stringify({ amount: "1.00", reference: "x", note: text })

  it.each([
    ["413 over 100 kB", 413, note("a".repeat(101 * 1024)), JSON_TYPE],
    ["415 as a form", 415, "amount=1.00", { "content-type": "application/x-www-form-urlencoded" }],
    ["415 as text, which another site may send unasked", 415, note(""), { "content-type": "text/plain" }],
    ["400 when it is compressed", 400, "\u001f\u008b", { ...JSON_TYPE, "content-encoding": "gzip" }],
  ])("is refused: %s", async (_, status, body, headers) => {
    expect(await send(body, headers)).toBe(status)
  })

  it("is not read before the login was checked", async () => {
    expect(await send(note("a".repeat(101 * 1024)), JSON_TYPE, false)).toBe(401)
  })
})
