import Medusa from "@medusajs/js-sdk"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { readConfig } from "./config"
import { Shop } from "./shop"
import { Store } from "./store"
import "./style.css"

const { storeUrl, publishableKey, orderPlacement } = await readConfig()
const store = new Store(new Medusa({ baseUrl: storeUrl, publishableKey }))
const root = document.getElementById("shop")
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Shop store={store} placeOrderFirst={orderPlacement === "before_payment"} />
    </StrictMode>
  )
}
