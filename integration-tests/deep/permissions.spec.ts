import "../http/customers.spec"
import "../http/permissions.spec"
