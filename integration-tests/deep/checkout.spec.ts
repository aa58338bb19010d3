import "../http/region-change.spec"
import "../http/store-status.spec"
