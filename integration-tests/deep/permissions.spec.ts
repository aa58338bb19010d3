import "../http/orders/customers.spec"
import "../http/security/permissions.spec"
