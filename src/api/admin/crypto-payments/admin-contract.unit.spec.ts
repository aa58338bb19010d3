import * as contract from "../../../admin/lib/contract"
import { REQUEST_STATES } from "../../../modules/crypto-payments/models/crypto-payment-request"
import { ATTENTION_REASONS } from "../../../decision"

it("lets the admin filter by every state and every reason there is", () => {
  expect(contract.REQUEST_STATES).toEqual(REQUEST_STATES)
  expect(contract.ATTENTION_REASONS).toEqual(ATTENTION_REASONS)
})
