import "../http/admin-settings.spec"
import "../http/settings-checks.spec"
import "../http/settings-encryption-key.spec"
import "../http/settings-origin.spec"
