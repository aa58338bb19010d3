import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

const MESSAGES: Record<string, string> = {
  return: "Thank you. Your order is placed as soon as the payment is confirmed.",
  failed: "The payment did not go through. Your cart is kept.",
}

/** Replaces the storefront's own pages, where the payer lands after the payment page. */
export function GET(req: MedusaRequest, res: MedusaResponse): void {
  const message = MESSAGES[req.params["outcome"] ?? ""]
  if (!message) {
    res.status(404).json({ type: "not_found", message: "No such page" })
    return
  }
  res.type("html").send(`<!doctype html><html lang="en"><title>Coffee Shop</title><h1>${message}</h1></html>`)
}
