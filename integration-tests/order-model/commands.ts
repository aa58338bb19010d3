import fc from "fast-check"
import type { OrderCommand } from "./command"
import { EditDown, EditUp } from "./commands-editing"
import { PayLink } from "./commands-paying"

/** Everything that can happen to an order. */
export const COMMANDS: fc.Arbitrary<OrderCommand>[] = [
  fc.tuple(fc.nat(5), fc.boolean()).map(([choice, isNotified]) => new PayLink(choice, isNotified)),
  fc.constant(new EditUp()),
  fc.constant(new EditDown()),
]
