module.exports = require("../../examples/store/medusa-config")
