import { useEffect, useState, type ReactElement } from "react"
import { CryptoPayButton } from "medusa-payment-crypto/storefront/react"
import { AddressForm } from "../parts/address-form"
import { CartItems } from "../parts/cart-items"
import { Problem } from "../parts/problem"
import { Totals } from "../parts/totals"
import { goToReturn, Link, returnIfPaid } from "../router"
import { useShop } from "../shop-context"
import type { Address, Cart, Region } from "../store"
import { useLoaded } from "../use-loaded"

/** Cart, address and payment on one page. */
export function CheckoutPage({ region }: { region: Region }): ReactElement {
  const { store, texts, setPieces } = useShop()
  const [cart, { retry, replace }] = useLoaded(async () => {
    const known = await store.cart()
    try {
      return known && known.region_id !== region.id ? await store.changeRegion(known.id, region.id) : known
    } catch (error) {
      if (returnIfPaid(error)) {
        return known
      }
      throw error
    }
  }, region.id)
  const [isEditing, setIsEditing] = useState(false)
  const [hasFailed, setHasFailed] = useState(false)
  const items = cart.value?.items ?? []
  useEffect(() => {
    setPieces(items.reduce((sum, { quantity }) => sum + quantity, 0))
  })
  if (cart.state === "failed" || hasFailed) {
    return (
      <Problem
        retry={() => {
          setHasFailed(false)
          retry()
        }}
      />
    )
  }
  if (cart.state === "loading") {
    return <p className="quiet">{texts.loading}</p>
  }
  const known = cart.value
  if (known === undefined || items.length === 0) {
    return (
      <div className="card problem">
        <p>{texts.empty}</p>
        {store.lastOrderId !== undefined && (
          <p>
            {texts.orderKept} <Link to={`/order/${store.lastOrderId}`}>{texts.seeOrder}</Link>
          </p>
        )}
        <Link to="/" className="button">
          {texts.toShop}
        </Link>
      </div>
    )
  }
  const change = async (changed: () => Promise<Cart>): Promise<void> => {
    try {
      replace(await changed())
      setIsEditing(false)
    } catch (error) {
      setHasFailed(!returnIfPaid(error))
    }
  }
  const canPay = Boolean(known.email) && known.shipping_methods?.length === 1 && !isEditing
  return (
    <div className="columns">
      <section className="card">
        {canPay ? (
          <Payment
            cart={known}
            edit={() => {
              setIsEditing(true)
            }}
          />
        ) : (
          <AddressForm
            key={region.id}
            cart={known}
            onSubmit={(address: Address) =>
              void change(
                async () => await store.deliverTo(known, address, region.countries?.[0]?.iso_2 ?? "")
              )
            }
          />
        )}
      </section>
      <aside className="card">
        <h2>{texts.cart}</h2>
        <CartItems
          items={items}
          currencyCode={known.currency_code}
          onQuantity={(itemId, quantity) =>
            void change(async () => await store.changeQuantity(known.id, itemId, quantity))
          }
        />
        <Totals of={known} />
      </aside>
    </div>
  )
}

function Payment({ cart, edit }: { cart: Cart; edit: () => void }): ReactElement {
  const { store, language, texts, placeOrderFirst } = useShop()
  const [limits] = useLoaded(async () => await store.cryptoLimits(cart.region_id ?? ""), cart.region_id)
  const { first_name, last_name, address_1, city } = cart.shipping_address ?? {}
  return (
    <>
      <h1>{texts.payment}</h1>
      <p className="address">
        <span>
          <bdi>{`${first_name ?? ""} ${last_name ?? ""}`}</bdi> · <bdi>{address_1}</bdi> · <bdi>{city}</bdi>
        </span>
        <button type="button" className="plain" onClick={edit}>
          {texts.change}
        </button>
      </p>
      <p>{texts.paymentLead}</p>
      <CryptoPayButton
        sdk={store.sdk}
        cartId={cart.id}
        amount={cart.total}
        limits={limits.value}
        placeOrderFirst={placeOrderFirst}
        language={language}
        onOrder={(orderId) => {
          store.leaveCart(orderId)
        }}
        onAlreadyPaid={goToReturn}
      />
    </>
  )
}
