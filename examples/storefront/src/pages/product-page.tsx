import { useEffect, useState, type ReactElement } from "react"
import { CoffeeBag } from "../parts/coffee-bag"
import { Problem } from "../parts/problem"
import { goTo, returnIfPaid } from "../router"
import { useShop } from "../shop-context"
import type { Region } from "../store"
import { money } from "../texts"
import { useLoaded } from "../use-loaded"

export function ProductPage({ region }: { region: Region }): ReactElement {
  const { store, texts } = useShop()
  const [product, { retry }] = useLoaded(() => store.product(region.id), region.id)
  const [variantId, setVariantId] = useState<string>()
  const [progress, setProgress] = useState<"idle" | "adding" | "failed">("idle")
  useEffect(() => {
    setProgress("idle")
  }, [region.id])
  if (product.state === "failed" || progress === "failed") {
    return (
      <Problem
        retry={() => {
          setProgress("idle")
          retry()
        }}
      />
    )
  }
  const variants = product.value?.variants ?? []
  const chosen = variants.find(({ id }) => id === variantId) ?? variants[0]
  const price = chosen?.calculated_price?.calculated_amount
  const add = async (): Promise<void> => {
    setProgress("adding")
    try {
      await store.addToCart(region.id, chosen?.id ?? "")
      goTo("/checkout")
    } catch (error) {
      setProgress(returnIfPaid(error) ? "idle" : "failed")
    }
  }
  return (
    <article className="card product">
      <div className="stage">
        <CoffeeBag />
      </div>
      <div className="about">
        <p className="eyebrow">{texts.notes}</p>
        <h1>{texts.product}</h1>
        <p>{texts.lead}</p>
        <fieldset>
          <legend>{texts.grind}</legend>
          {variants.map(({ id, title }) => (
            <label key={id} className="choice">
              <input
                type="radio"
                name="grind"
                checked={id === chosen?.id}
                onChange={() => {
                  setVariantId(id)
                }}
              />
              <span>{title === "Ground" || title === "Whole beans" ? texts[title] : title}</span>
            </label>
          ))}
        </fieldset>
        <p className="price">{typeof price === "number" ? money(price, region.currency_code, texts) : "…"}</p>
        <button
          type="button"
          className="button"
          disabled={chosen === undefined || progress === "adding"}
          onClick={() => {
            void add()
          }}
        >
          {texts.add}
        </button>
      </div>
    </article>
  )
}
