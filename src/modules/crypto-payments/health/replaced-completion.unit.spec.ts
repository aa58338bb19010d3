import { completeCartWorkflow } from "@medusajs/medusa/core-flows"
import { createStep, createWorkflow, StepResponse, WorkflowResponse } from "@medusajs/framework/workflows-sdk"
import { listReplacements, mayComplete } from "./replaced-completion"

describe("a workflow that completes carts in place of core's", () => {
  it.each([
    "complete-cart-with-split-orders",
    "complete-cart-workflow",
    "completeCart",
    "marketplace-complete-vendor-cart",
    "cart_completion",
  ])("is %s, by its name", (id) => {
    expect(listReplacements([id])).toEqual([`workflow ${id}`])
  })

  it.each([
    "complete-cart",
    "complete-order-workflow",
    "add-to-cart",
    "notify-cart-completed",
    "autocomplete-cart-address",
    "complete-cartridge-order",
  ])("is not %s", (id) => {
    expect(listReplacements([id])).toEqual([])
  })

  it("is none of core's own", () => {
    // Importing one of core's workflows registers all of them.
    expect(completeCartWorkflow.getName()).toBe("complete-cart")
    expect(listReplacements()).toEqual([])
  })

  it("cannot take core's own name: Medusa refuses it at boot", () => {
    const step = createStep("step", async () => await Promise.resolve(new StepResponse(null)))
    expect(() => createWorkflow("complete-cart", () => new WorkflowResponse(step()))).toThrow(
      "already exists"
    )
  })
})

it("core's completion may be run for a cart in a store that replaces it only if the merchant says that it counts", () => {
  createWorkflow("complete-cart-in-parts", () => new WorkflowResponse(undefined))
  expect(mayComplete({ coreCompletion: false })).toBe(false)
  expect(mayComplete({ coreCompletion: true })).toBe(true)
})
