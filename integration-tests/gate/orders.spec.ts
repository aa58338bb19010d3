import "../http/refund-race.spec"
import "../http/two-links-at-once.spec"
