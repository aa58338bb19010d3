import fc from "fast-check"
import type { OrderCommand } from "./command"
import {
  AskForPayment,
  CreditLine,
  DeleteCollection,
  MarkAsPaid,
  ReopenPaymentStep,
  SecondLink,
} from "./commands-asking"
import { BeginEdit, EditDown, EditUp, EndEdit } from "./commands-editing"
import {
  Cancel,
  Close,
  ConvertDraft,
  DeleteDraft,
  EndTransfer,
  Expire,
  RequestTransfer,
  SwitchProvider,
} from "./commands-ending"
import { PayLink } from "./commands-paying"
import { RegisterRefund } from "./commands-refunding"
import { CorrectEmail, PlaceOrder, PutInCart, SwitchRegion } from "./commands-shopping"
import { Claim, EndReturn, Exchange, RequestReturn, Ship } from "./commands-returning"

const choice = fc.nat(5)
const either = fc.boolean()

/** Everything that can happen to an order; a payment three times as often. What comes first is what a failure is made shorter to, where it can be. */
export const COMMANDS: fc.Arbitrary<OrderCommand>[] = [
  ...[1, 2, 3].map(() => fc.tuple(choice, either).map(([which, isLost]) => new PayLink(which, !isLost))),
  fc.constant(new PlaceOrder()),
  fc.constant(new PutInCart()),
  fc.constant(new SwitchRegion()),
  fc.constant(new CorrectEmail()),
  fc.constant(new EditUp()),
  fc.constant(new EditDown()),
  fc.constant(new BeginEdit()),
  either.map((isConfirmed) => new EndEdit(!isConfirmed)),
  fc.constant(new Ship()),
  fc.constant(new RequestReturn()),
  either.map((isCanceled) => new EndReturn(!isCanceled)),
  fc.constantFrom(1, 2).map((sent) => new Exchange(sent)),
  fc.constant(new Claim()),
  fc.constant(new CreditLine()),
  either.map((isDeposit) => new AskForPayment(isDeposit)),
  choice.map((which) => new SecondLink(which)),
  fc.constant(new ReopenPaymentStep()),
  fc.constant(new DeleteCollection()),
  fc.tuple(choice, either).map(([which, isPart]) => new RegisterRefund(which, isPart)),
  fc.constant(new MarkAsPaid()),
  fc.constant(new Expire()),
  fc.constant(new Cancel()),
  fc.constant(new RequestTransfer()),
  fc.constant(new EndTransfer()),
  fc.constantFrom("complete" as const, "archive" as const).map((how) => new Close(how)),
  fc.constant(new ConvertDraft()),
  fc.constant(new DeleteDraft()),
  fc.constant(new SwitchProvider()),
]
