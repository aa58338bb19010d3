import "../http/pay-page.spec"
import "../http/order-payment-link-workflow.spec"
