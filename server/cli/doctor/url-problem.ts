import { unusableVariables } from '../../contract/client-settings.ts'

/**
 * Returns the problem of the URL of a variable, as the rest of a sentence.
 * @param urls of the sandbox, at which clients reach it
 */
export function urlProblem(value: string, urls: readonly string[]): string | undefined {
  if (urls.includes(value)) return undefined
  const known = urls.join(' or ')
  if (value.replace(/\/+$/, '') === unusableVariables().HF_ENDPOINT) {
    return `is ${value}: "env" failed in this shell, as no sandbox was reachable.`
  }
  if (!URL.canParse(value)) return `is ${value}, which is no URL, not ${known}.`
  return `is ${value}, not ${known}${difference(new URL(value), urls)}.`
}

function difference(given: URL, urls: readonly string[]): string {
  const same = urls.map((url) => new URL(url)).find(({ hostname }) => hostname === given.hostname)
  if (same === undefined) return ''
  const parts: string[] = []
  if (given.protocol !== same.protocol) {
    parts.push(`it begins with ${given.protocol} instead of ${same.protocol}`)
  }
  if (given.port !== same.port) parts.push('it has another port')
  if (given.pathname !== '/') parts.push(`it has the path ${given.pathname}`)
  else if (given.href === same.href) parts.push('it ends with a slash')
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`
}
