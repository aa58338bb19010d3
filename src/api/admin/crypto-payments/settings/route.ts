import { answer } from "../respond"

/** Settings of every registered provider; of secrets only whether they exist. */
export const GET = answer(async (req, ledger) => await ledger.settingsEditor.list())
