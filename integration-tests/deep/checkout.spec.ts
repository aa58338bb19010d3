import "../http/amount-limits.spec"
import "../http/region-change.spec"
import "../http/store-status.spec"
