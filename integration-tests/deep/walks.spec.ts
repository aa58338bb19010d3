import "../http/admin/merchant-walk.spec"
import "../http/checkout/shopper-walk.spec"
