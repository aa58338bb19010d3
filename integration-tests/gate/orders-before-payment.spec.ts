import "../http/order-first.spec"
import "../http/order-first-expiry.spec"
import "../http/underpaid-order.spec"
import "../http/unpaid-order-expiry.spec"
