import { answer } from "../respond"
import { readSettlements } from "./read-settlements"

/** Gross, fees and net per period, currency and coin. */
export const GET = answer(readSettlements)
