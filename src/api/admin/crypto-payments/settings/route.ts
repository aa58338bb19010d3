import { resolveLedger } from "../../../../modules/crypto-payments"
import { answer } from "../respond"

/** Settings of every registered provider; of secrets only whether they exist. */
export const GET = answer(async (req) => await resolveLedger(req.scope).settingsEditor.list())
