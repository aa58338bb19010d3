import { GatewayMalformed } from "./errors"
import { parseSignedBody } from "./notification"

/** The fields that a call refuses. */
function refused(call: () => unknown): readonly string[] {
  try {
    call()
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayMalformed)
    return (error as GatewayMalformed).fields
  }
  throw new Error("nothing was refused")
}

describe("parseSignedBody", () => {
  it("gives the data as received, the very object, however wrong its fields are", () => {
    const received = { amount: 1, nested: {} }
    expect(parseSignedBody({ data: received, approval_hash: "" }).data).toBe(received)
  })

  it("keeps a field that JSON calls __proto__ in the data", () => {
    const body: unknown = JSON.parse(
      '{"data":{"__proto__":{"status":"PAID"}},"approval_hash":"x","__proto__":{"a":1}}'
    )
    expect(Object.keys(parseSignedBody(body).data)).toEqual(["__proto__"])
  })

  it("ignores other members of the body", () => {
    expect(parseSignedBody({ data: {}, approval_hash: "x", more: 1 })).toEqual({
      data: {},
      approvalHash: "x",
    })
  })

  it.each<[string, unknown, string[]]>([
    ["null", null, ["body"]],
    ["a string", "{}", ["body"]],
    ["a list", [], ["body"]],
    ["undefined", undefined, ["body"]],
    ["no members", {}, ["data", "approval_hash"]],
    ["data as a list", { data: [], approval_hash: "x" }, ["data"]],
    ["data as text", { data: "{}", approval_hash: "x" }, ["data"]],
    ["data null", { data: null, approval_hash: "x" }, ["data"]],
    ["no hash", { data: {} }, ["approval_hash"]],
    ["a hash that is a number", { data: {}, approval_hash: 1 }, ["approval_hash"]],
    [
      "members that are inherited only",
      Object.create({ approval_hash: 1, data: 1 }),
      ["data", "approval_hash"],
    ],
  ])("refuses %s", (_what, body, fields) => {
    expect(refused(() => parseSignedBody(body))).toEqual(fields)
  })
})
