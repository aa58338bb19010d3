import "../http/fractional-refund.spec"
import "../http/outstanding-amount.spec"
import "../http/refund-race.spec"
import "../http/two-links-at-once.spec"
