import { useState, type ReactElement } from "react"
import { useShop } from "../shop-context"
import type { Address, Cart } from "../store"

const FIELDS = [
  { name: "email", type: "email", autoComplete: "email" },
  { name: "first_name", type: "text", autoComplete: "given-name" },
  { name: "last_name", type: "text", autoComplete: "family-name" },
  { name: "address_1", type: "text", autoComplete: "street-address" },
  { name: "city", type: "text", autoComplete: "address-level2" },
] as const

/** The delivery address. */
export function AddressForm(props: { cart: Cart; onSubmit: (address: Address) => void }): ReactElement {
  const { cart, onSubmit } = props
  const { texts } = useShop()
  const [isSending, setIsSending] = useState(false)
  const known = { email: cart.email, ...cart.shipping_address }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setIsSending(true)
        onSubmit(Object.fromEntries(new FormData(event.currentTarget)) as unknown as Address)
      }}
    >
      <h1>{texts.address}</h1>
      <div className="fields">
        {FIELDS.map(({ name, ...field }) => (
          <label key={name} className={name === "first_name" || name === "last_name" ? "half" : ""}>
            <span>{texts[name]}</span>
            <input {...field} name={name} defaultValue={known[name] ?? ""} required />
          </label>
        ))}
      </div>
      <button type="submit" className="button" disabled={isSending}>
        {texts.toPayment}
      </button>
    </form>
  )
}
