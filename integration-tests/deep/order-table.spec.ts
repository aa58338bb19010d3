import "../http/order-table.spec"
