import { completeCartWorkflow } from "@medusajs/medusa/core-flows"
import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
  type WorkflowData,
} from "@medusajs/framework/workflows-sdk"
import { listWorkflows, ReplacedCompletion } from "./replaced-completion"

const NO_STEPS = { flow_: {} }

describe("a workflow that completes carts in place of core's", () => {
  it.each([
    "complete-cart-with-split-orders",
    "complete-cart-workflow",
    "completeCart",
    "marketplace-complete-vendor-cart",
    "cart_completion",
  ])("is %s, by its name", (id) => {
    expect(listWorkflows([[id, NO_STEPS]])).toEqual([`workflow ${id}`])
  })

  it.each([
    "complete-cart",
    "complete-order-workflow",
    "add-to-cart",
    "notify-cart-completed",
    "autocomplete-cart-address",
    "complete-cartridge-order",
  ])("is not %s", (id) => {
    expect(listWorkflows([[id, NO_STEPS]])).toEqual([])
  })

  it("is none of core's own", () => {
    // Importing one of core's workflows registers all of them.
    expect(completeCartWorkflow.getName()).toBe("complete-cart")
    expect(listWorkflows()).toEqual([])
  })

  it("is one that goes on after core's, whatever its name", () => {
    createWorkflow("create-subscription", (input: WorkflowData<{ id: string }>) => {
      return new WorkflowResponse(completeCartWorkflow.runAsStep({ input }))
    })
    expect(listWorkflows()).toEqual(["workflow create-subscription"])
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
