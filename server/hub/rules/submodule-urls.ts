/**
 * Whether git lets a URL stand for a submodule. What it does not would be taken for an option, or lead a client to another
 * host than the one that is read there.
 * @param url each of its characters a byte
 */
export function isSubmoduleUrl(url: string): boolean {
  if (url.startsWith('-')) return false
  if (/^\.\.?[/\\]/.test(url)) return isRelativeUrl(url)
  const isFetched = /^(?:https?|ftps?):(?::|\/\/)/.test(url)
  return !isFetched || isFetchedUrl(url.replace(/^[a-z]+::/, ''))
}

function isRelativeUrl(url: string): boolean {
  if (decodePercent(url).includes('\n')) return false
  const leading = /^(?:\.\.?[/\\])+/.exec(url)?.[0] ?? ''
  const leavesHost = /\.\.[/\\]/.test(leading) && /^[:/]/.test(url.slice(leading.length))
  return !leavesHost
}

/** As git takes it apart, which it refuses to do for more in its newer releases. */
function isFetchedUrl(url: string): boolean {
  if (decodePercent(url).includes('\n') || /%(?![0-9a-f]{2})/i.test(url)) return false
  const [, beforePath = '', path = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)([^?#]*)/i.exec(url) ?? []
  const address = beforePath.slice(beforePath.indexOf('@') + 1)
  const [, host = '', port] = /^([^]*?)(?::([^:\]]*))?$/.exec(address) ?? []
  if (!/^[a-z0-9._[\]-][a-z0-9._[:\]-]*$/i.test(host)) return false
  return isPort(port) && staysBelowHost(path)
}

/** None is that of the scheme; 0 is any. */
function isPort(port = ''): boolean {
  return /^0*$/.test(port) ? !/^0+$/.test(port) : /^0*\d{1,5}$/.test(port) && Number(port) <= 65_535
}

function staysBelowHost(path: string): boolean {
  let depth = 0
  for (const part of path.split('/').slice(1).map(decodePercent)) {
    if (part === '..') depth--
    else if (part !== '.') depth++
    if (depth < 0) return false
  }
  return true
}

function decodePercent(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  )
}
