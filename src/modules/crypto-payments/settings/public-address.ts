/** The address of a path of the store. Its public address may have a path of its own, as behind a proxy. */
export function addressBelow(publicUrl: string, path: string): string {
  const store = new URL(publicUrl)
  return `${store.origin}${store.pathname.replace(/\/+$/, "")}${path}`
}
