import { answer } from "../respond"

export const GET = answer(async (req, ledger) => await ledger.settingsEditor.list())
