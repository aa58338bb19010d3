import { SandboxState } from "./state"
import { REQUEST, startKit, type Kit } from "./testing-kit.spec"

describe("faults", () => {
  let kit: Kit
  let id: string
  beforeEach(async () => {
    kit = await startKit()
    id = await kit.create()
  })
  afterEach(() => kit.close())

  const fault = (body: Record<string, unknown>) => kit.control("faults", body)
  const get = (options: RequestInit = {}) =>
    fetch(`${kit.sandbox.baseUrl}/api/payments/${id}`, { redirect: "manual", ...options })
  const paymentCount = async () => (await kit.call("GET", "/control/payments")).body.length as number

  it("status answers that status with Retry-After, in the envelope", async () => {
    await fault({ endpoint: "read", kind: "status", status: 429, retryAfter: 2 })
    const response = await get()
    expect(response.status).toBe(429)
    expect(response.headers.get("retry-after")).toBe("2")
    expect(await response.json()).toMatchObject({ data: null, successful: false })
  })

  it("times counts down and then the endpoint is well again", async () => {
    await fault({ endpoint: "read", kind: "status", times: 2 })
    expect([(await get()).status, (await get()).status, (await get()).status]).toEqual([503, 503, 200])
  })

  it("without times lasts until cleared", async () => {
    await fault({ endpoint: "any", kind: "status" })
    expect([(await get()).status, (await get()).status]).toEqual([503, 503])
    await kit.call("DELETE", "/control/faults")
    expect((await get()).status).toBe(200)
  })

  it("strikes only the endpoint named", async () => {
    await fault({ endpoint: "create", kind: "status" })
    expect((await get()).status).toBe(200)
  })

  it("strikes only the payment request named", async () => {
    const other = await kit.create()
    await fault({ endpoint: "read", kind: "status", payment_request_id: other })
    expect((await get()).status).toBe(200)
    expect((await kit.call("GET", `/v1/api/payments/${other}`)).status).toBe(503)
  })

  it("timeout never answers", async () => {
    await fault({ endpoint: "read", kind: "timeout" })
    await expect(get({ signal: AbortSignal.timeout(50) })).rejects.toThrow(/timeout/)
  })

  it("reset cuts the connection without an answer", async () => {
    await fault({ endpoint: "read", kind: "reset" })
    await expect(get()).rejects.toMatchObject({ cause: { code: "ECONNRESET" } })
  })

  it("truncated promises more bytes than it sends", async () => {
    await fault({ endpoint: "read", kind: "truncated" })
    const response = await get()
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })

  it("cut_json is a complete answer whose JSON stops midway", async () => {
    await fault({ endpoint: "read", kind: "cut_json" })
    const text = await (await get()).text()
    expect(text).toMatch(/^\{"data":/)
    expect(() => JSON.parse(text) as unknown).toThrow()
  })

  it("slow waits, then answers what is true then", async () => {
    await fault({ endpoint: "read", kind: "slow", delayMs: 1 })
    const sandboxSleep = jest.spyOn(SandboxState.prototype, "sleep").mockImplementationOnce(async () => {
      await kit.control(`payments/${id}/pay`, { notify: false })
    })
    expect(await (await get()).json()).toMatchObject({ data: { payment_status: "PAID" } })
    expect(sandboxSleep.mock.calls).toEqual([[1]])
    sandboxSleep.mockRestore()
  })

  describe("hold", () => {
    const isHeld = async (count: number): Promise<void> => {
      while ((await kit.call("GET", "/control/held")).body.length !== count) {
        // Asked again: a call is held once the sandbox has read it.
      }
    }

    it("keeps calls waiting until they are released, and answers what is true then", async () => {
      await fault({ endpoint: "read", kind: "hold" })
      const reading = get()
      await isHeld(1)
      await kit.control(`payments/${id}/pay`, { notify: false })
      expect((await kit.call("GET", "/control/held")).body).toEqual([`/v1/api/payments/${id}`])
      expect((await kit.control("release")).body).toEqual({ released: 1 })
      expect(await (await reading).json()).toMatchObject({ data: { payment_status: "PAID" } })
      expect((await get()).status).toBe(200)
      expect((await kit.call("GET", "/control/held")).body).toEqual([])
    })

    it("lets the oldest so many go on, and holds the next as before", async () => {
      await fault({ endpoint: "read", kind: "hold" })
      const first = get()
      await isHeld(1)
      const second = get()
      await isHeld(2)
      await kit.control("release", { count: 1 })
      expect((await first).status).toBe(200)
      const third = get()
      await isHeld(2)
      await kit.control("release")
      expect([(await second).status, (await third).status]).toEqual([200, 200])
    })

    it("is over for all when the faults are cleared or the sandbox is reset", async () => {
      for (const [method, path, status] of [
        ["DELETE", "/control/faults", 200],
        ["POST", "/control/reset", 404],
      ] as const) {
        await fault({ endpoint: "read", kind: "hold" })
        const reading = get()
        await isHeld(1)
        await kit.call(method, path)
        expect((await reading).status).toBe(status)
      }
    })

    it("holds no call whose caller has gone, and lets it take no effect", async () => {
      await fault({ endpoint: "create", kind: "hold" })
      const leave = new AbortController()
      const creating = fetch(`${kit.sandbox.baseUrl}/api/payments`, {
        method: "POST",
        body: JSON.stringify(REQUEST),
        signal: leave.signal,
      }).catch(() => "gone")
      await isHeld(1)
      leave.abort()
      expect(await creating).toBe("gone")
      await isHeld(0)
      expect(await paymentCount()).toBe(1)
    })

    it("takes effect at once when it is applied before the answer is held", async () => {
      await fault({ endpoint: "create", kind: "hold", applied: "after" })
      const creating = kit.create()
      await isHeld(1)
      expect(await paymentCount()).toBe(2)
      await kit.control("release")
      expect(await creating).toEqual(expect.any(String))
    })
  })

  it("html answers a web page", async () => {
    await fault({ endpoint: "read", kind: "html", status: 200 })
    const response = await get()
    expect(response.headers.get("content-type")).toMatch(/^text\/html/)
    expect(await response.text()).toMatch(/^<!doctype html>/)
  })

  it.each([
    ["read", "successful"],
    ["list", "successful"],
    ["balances", "is_successful"],
    ["create", "is_successful"],
  ])("false_flag uses the flag name of %s: %s", async (endpoint, flag) => {
    await fault({ endpoint, kind: "false_flag" })
    const paths: Record<string, string> = {
      read: `/payments/${id}`,
      list: "/payments",
      balances: "/balances",
    }
    const answer =
      endpoint === "create"
        ? await kit.call("POST", "/v1/api/payments", REQUEST)
        : await kit.call("GET", `/v1/api${paths[endpoint]}`)
    expect(answer).toEqual({
      status: 200,
      body: { data: null, message: "The operation failed", [flag]: false },
    })
  })

  it("missing_flag leaves out the flag and nothing else", async () => {
    await fault({ endpoint: "read", kind: "missing_flag" })
    expect(Object.keys((await (await get()).json()) as object)).toEqual(["data", "pagination", "message"])
  })

  it("wrong_types turns amounts into numbers and keeps the flag", async () => {
    await fault({ endpoint: "read", kind: "wrong_types" })
    expect(await (await get()).json()).toMatchObject({ data: { amount: 20.01 }, successful: true })
  })

  it("redirect points elsewhere, and a follower shows in the calls", async () => {
    await fault({ endpoint: "read", kind: "redirect" })
    const response = await get()
    expect(response.status).toBe(302)
    await fetch(response.headers.get("location") ?? "")
    const calls = (await kit.call("GET", "/control/calls")).body
    expect(calls.at(-1)).toMatchObject({ path: "/v1/api/redirected", endpoint: null, status: 404 })
  })

  it("huge pads a real answer", async () => {
    await fault({ endpoint: "read", kind: "huge", bytes: 1_500_000 })
    expect((await (await get()).text()).length).toBeGreaterThan(1_500_000)
  })

  it.each([
    ["before", 1],
    ["after", 2],
  ])("a create whose connection is reset %s it was applied leaves %i requests", async (applied, count) => {
    await fault({ endpoint: "create", kind: "reset", applied })
    await expect(kit.create()).rejects.toThrow()
    expect(await paymentCount()).toBe(count)
  })

  it("a truncated create is undone when it must not apply", async () => {
    await fault({ endpoint: "create", kind: "truncated", applied: "before" })
    await expect(kit.create()).rejects.toThrow()
    expect(await paymentCount()).toBe(1)
  })
})
