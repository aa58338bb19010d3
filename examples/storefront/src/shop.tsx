import { useEffect, useMemo, useState, type ReactElement } from "react"
import { CheckoutPage } from "./pages/checkout-page"
import { OrderPage } from "./pages/order-page"
import { ProductPage } from "./pages/product-page"
import { ReturnPage } from "./pages/return-page"
import { Cup } from "./parts/cup"
import { Problem } from "./parts/problem"
import { Link, usePath } from "./router"
import { Context, useShop } from "./shop-context"
import type { Store } from "./store"
import { TEXTS, type Language } from "./texts"
import { useLoaded } from "./use-loaded"

const LANGUAGE_KEY = "coffee-shop-language"
const REGION_KEY = "coffee-shop-region"

/** The whole shop: the frame with language and country, and the page of the address. */
export function Shop(props: { store: Store; placeOrderFirst: boolean }): ReactElement {
  const { store, placeOrderFirst } = props
  const [language, setLanguage] = useState<Language>(() =>
    (localStorage.getItem(LANGUAGE_KEY) ?? navigator.language).startsWith("ar") ? "ar" : "en"
  )
  const [regionId, setRegionId] = useState(() => localStorage.getItem(REGION_KEY) ?? undefined)
  const [pieces, setPieces] = useState(0)
  const [regions, { retry }] = useLoaded(() => store.regions())
  const texts = TEXTS[language]
  useEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = texts.dir
    document.title = texts.shop
    localStorage.setItem(LANGUAGE_KEY, language)
  }, [language, texts])

  useEffect(() => {
    // The pages that change the cart report the number themselves.
    store.cart().then(
      (cart) => {
        setPieces(cart?.items?.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0)
      },
      () => undefined
    )
  }, [store])

  const region = regions.value?.find(({ id }) => id === regionId) ?? regions.value?.[0]
  const shop = useMemo(
    () => ({ store, language, texts, region, placeOrderFirst, setPieces }),
    [store, language, texts, region, placeOrderFirst]
  )
  return (
    <Context.Provider value={shop}>
      <header className="bar">
        <Link to="/" className="brand">
          <Cup /> <b>{texts.shop}</b>
        </Link>
        <nav>
          <label>
            <span>{texts.country}</span>
            <select
              value={region?.id ?? ""}
              onChange={({ target }) => {
                localStorage.setItem(REGION_KEY, target.value)
                setRegionId(target.value)
              }}
            >
              {regions.value?.map(({ id, countries }) => (
                <option key={id} value={id}>
                  {countryName(countries?.[0]?.iso_2, texts.locale)}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            className="plain"
            lang={language === "en" ? "ar" : "en"}
            onClick={() => {
              setLanguage(language === "en" ? "ar" : "en")
            }}
          >
            {texts.otherLanguage}
          </button>
          <Link to="/checkout" className="to-cart">
            {texts.cart} <b>{pieces}</b>
          </Link>
        </nav>
      </header>
      <main>{regions.state === "failed" ? <Problem retry={retry} /> : <Page />}</main>
      <footer>{texts.footer}</footer>
    </Context.Provider>
  )
}

function Page(): ReactElement {
  const path = usePath()
  const { texts, region } = useShop()
  const [, page, id = ""] = /^\/(order|payment-collection)\/([^/]+)$/.exec(path) ?? []
  if (path === "/checkout/return") {
    return <ReturnPage />
  }
  if (page === "order") {
    return <OrderPage id={decodeURIComponent(id)} />
  }
  if (page !== undefined) {
    // The admin's "Copy payment link" copies this address.
    const order = new URLSearchParams(window.location.search).get("order_id") ?? ""
    return <OrderPage id={order} collectionId={decodeURIComponent(id)} />
  }
  if (region === undefined) {
    return <p className="quiet">{texts.loading}</p>
  }
  if (path === "/") {
    return <ProductPage region={region} />
  }
  return path === "/checkout" ? <CheckoutPage region={region} /> : <p className="quiet">{texts.notFound}</p>
}

function countryName(code = "", locale: string): string {
  return new Intl.DisplayNames(locale, { type: "region" }).of(code.toUpperCase() || "ZZ") ?? code
}
