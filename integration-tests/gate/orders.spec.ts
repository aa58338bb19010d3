import "../http/checkout/two-links-at-once.spec"
import "../http/refunds/refund-race.spec"
