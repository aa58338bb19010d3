import { clx } from "@medusajs/ui"
import type { CryptoPayment } from "../../http-contract"
import { TextLink } from "./text-link"

/** Who pays, as Medusa has them: name, else e-mail address, with a link to the customer; the address below the name. */
export function Customer({
  payment,
  className,
}: {
  payment: Pick<CryptoPayment, "customer">
  className?: string
}) {
  const { id, name, email } = payment.customer ?? { id: null, name: null, email: null }
  const first = name ?? email
  if (first === null) {
    return <>–</>
  }
  // Shortened at its own end: in a page that runs the other way, a name would lose its beginning.
  const cut = { dir: "auto", className: "truncate text-left rtl:text-right" }
  return (
    <span className={clx("flex min-w-0 flex-col", className)} title={email ?? undefined}>
      {id === null ? (
        <span {...cut}>{first}</span>
      ) : (
        <TextLink
          to={`/customers/${id}`}
          {...cut}
          // A row of a table opens its payment.
          onClick={(event) => event.stopPropagation()}
        >
          {first}
        </TextLink>
      )}
      {name !== null && email !== null && (
        <bdi dir="ltr" className="txt-compact-xsmall text-ui-fg-subtle truncate rtl:text-right">
          {email}
        </bdi>
      )}
    </span>
  )
}
