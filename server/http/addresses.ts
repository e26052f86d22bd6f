// Which app of the server an address is led to, before anything of the request is looked at.

/** Contents of a repo, as browsers, clients and git ask for them: `/acme/tiny/resolve/main/README.md`. */
const inRepo =
  /^\/(?:(?:datasets|spaces)\/)?[^/?#]+\/[^/?#]+\/(?:resolve|raw|info|git-upload-pack|git-receive-pack)(?:[/?#]|$)/

/** @param url path and query of a request */
export function isApiAddress(url: string): boolean {
  return url.startsWith('/api/') || inRepo.test(url)
}

/** @param url path and query of a request */
export function isControlAddress(url: string): boolean {
  return /^\/_sandbox(?:[/?#]|$)/.test(url)
}
