// MikroORM keeps entity metadata per process; without this the second spec of a jest worker fails to boot its store.
require("@medusajs/framework/mikro-orm/core").MetadataStorage.clear()
