import { completeCartWorkflow } from "@medusajs/medusa/core-flows"
import { createStep, createWorkflow, StepResponse, WorkflowResponse } from "@medusajs/framework/workflows-sdk"
import { listWorkflows, ReplacedCompletion } from "./replaced-completion"

describe("a workflow that completes carts in place of core's", () => {
  it.each([
    "complete-cart-with-split-orders",
    "complete-cart-workflow",
    "completeCart",
    "marketplace-complete-vendor-cart",
    "cart_completion",
  ])("is %s, by its name", (id) => {
    expect(listWorkflows([id])).toEqual([`workflow ${id}`])
  })

  it.each([
    "complete-cart",
    "complete-order-workflow",
    "add-to-cart",
    "notify-cart-completed",
    "autocomplete-cart-address",
    "complete-cartridge-order",
  ])("is not %s", (id) => {
    expect(listWorkflows([id])).toEqual([])
  })

  it("is none of core's own", () => {
    // Importing one of core's workflows registers all of them.
    expect(completeCartWorkflow.getName()).toBe("complete-cart")
    expect(listWorkflows()).toEqual([])
  })

  it("cannot take core's own name: Medusa refuses it at boot", () => {
    const step = createStep("step", async () => await Promise.resolve(new StepResponse(null)))
    expect(() => createWorkflow("complete-cart", () => new WorkflowResponse(step()))).toThrow(
      "already exists"
    )
  })
})

describe("core's completion may be run for a cart", () => {
  const replaced = new ReplacedCompletion({})
  jest.spyOn(replaced, "list").mockResolvedValue(["workflow complete-cart-with-split-orders"])

  it("in a store that replaces it, only if the merchant says that it counts", async () => {
    expect(await replaced.mayComplete({ core_completion: false })).toBe(false)
    expect(await replaced.mayComplete({ core_completion: true })).toBe(true)
  })
})
