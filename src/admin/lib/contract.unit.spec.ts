import { REQUEST_STATES } from "../../modules/crypto-payments/models/crypto-payment-request"
import { ATTENTION_REASONS } from "../../settlement"
import * as contract from "./contract"

it("offers as filters every state and every reason there is", () => {
  expect(contract.REQUEST_STATES).toEqual(REQUEST_STATES)
  expect(contract.ATTENTION_REASONS).toEqual(ATTENTION_REASONS)
})
