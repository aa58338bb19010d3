import "../http/notification-flood.spec"
import "../http/returns-flood.spec"
