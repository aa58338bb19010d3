// The last part of `npm run build`.
import { pluginStamp } from "../examples/demo/builds.mjs"

pluginStamp().write()
