import { useWords } from "../shared/words"
import type { AttentionReason, CryptoPayment, RequestState } from "../../http-contract"
import { Status } from "../shared/status"

const COLORS: Record<RequestState, "green" | "orange" | "grey" | "blue" | "purple"> = {
  creating: "grey",
  open: "blue",
  superseded: "grey",
  closed: "grey",
  paid: "orange",
  captured: "green",
  refunded: "purple",
}

/** Where a payment request is in its life. */
export function StateBadge({
  payment: { state, payment_request_id: id },
}: {
  payment: Pick<CryptoPayment, "state" | "payment_request_id">
}) {
  const t = useWords()
  if (state === "closed" && id === null) {
    // There never was a link to close.
    return <Status color="red">{t("list.linkFailed")}</Status>
  }
  return <Status color={COLORS[state]}>{t(`state.${state}`)}</Status>
}

/** Why the payment needs manual review; grey once it was reviewed. */
export function AttentionBadge({ reason, resolved }: { reason: AttentionReason; resolved: boolean }) {
  const t = useWords()
  return <Status color={resolved ? "grey" : "red"}>{t(`attention.reasons.${reason}.title`)}</Status>
}
