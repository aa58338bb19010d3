import "../http/merchant-walk.spec"
import "../http/shopper-walk.spec"
