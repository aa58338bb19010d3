/**
 * Where this repository is published, such as "https://github.com/owner/name", without a slash at the end. `repository`,
 * `homepage` and `bugs` of both packages, and the links and pictures of the README on the registry's page, are made of it.
 * Nothing is published while it is empty.
 */
export const REPOSITORY = ""
