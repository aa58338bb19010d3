import "../http/two-providers.spec"
