import { IS_CART_UNANNOUNCED, IS_UNANNOUNCED, ORDER_TO_ANNOUNCE } from "../../payment-requests/announcements"
import { REQUESTS_WHERE, type Rule } from "../rule"

/** E-mails and fulfilment begin with order.placed. The schedule repeats it once (`Announcements.sendLostOrders`). */
export const order_not_announced: Rule = {
  invariant: "I6",
  message: "The order is paid, but its order.placed was not received.",
  sql: REQUESTS_WHERE(IS_UNANNOUNCED("5 minutes"), `EXISTS (${ORDER_TO_ANNOUNCE})`, IS_CART_UNANNOUNCED),
}
