import "../http/settings/admin-settings.spec"
import "../http/settings/settings-checks.spec"
import "../http/settings/settings-encryption-key.spec"
import "../http/settings/settings-origin.spec"
