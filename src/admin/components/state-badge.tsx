import { useWords } from "../hooks/words"
import type { AttentionReason, RequestState } from "../lib/contract"
import { Status } from "./status"

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
export function StateBadge({ state }: { state: RequestState }) {
  const t = useWords()
  return <Status color={COLORS[state]}>{t(`state.${state}`)}</Status>
}

/** Why a person must look at it; grey once somebody did. */
export function AttentionBadge({ reason, resolved }: { reason: AttentionReason; resolved: boolean }) {
  const t = useWords()
  return <Status color={resolved ? "grey" : "red"}>{t(`attention.reasons.${reason}.title`)}</Status>
}
