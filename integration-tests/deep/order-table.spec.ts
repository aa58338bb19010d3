import "../http/orders/order-table.spec"
