import "../http/orders/pay-page-checkout.spec"
import "../http/orders/query-order.spec"
