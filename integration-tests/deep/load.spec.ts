import "../http/security/returns-flood.spec"
import "../http/webhook/notification-flood.spec"
