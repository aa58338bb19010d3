import "../http/checkout/two-links-at-once.spec"
import "../http/orders/received-money.spec"
import "../http/refunds/refund-race.spec"
