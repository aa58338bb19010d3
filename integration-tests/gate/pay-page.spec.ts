import "../http/pay-page-checkout.spec"
import "../http/query-order.spec"
