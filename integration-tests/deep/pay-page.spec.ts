import "../http/orders/order-payment-link-workflow.spec"
import "../http/orders/pay-page.spec"
