import * as admin from "../../../admin/shared/closed-lists"
import { REQUEST_STATES } from "../../../modules/crypto-payments/models/crypto-payment-request"
import { ATTENTION_REASONS } from "../../../decision"

it("lets the admin filter by every state and every reason there is", () => {
  expect(admin.REQUEST_STATES).toEqual(REQUEST_STATES)
  expect(admin.ATTENTION_REASONS).toEqual(ATTENTION_REASONS)
})
