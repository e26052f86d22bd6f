import type { Environment } from '../../app/config/flag-sources.ts'
import { BlockList, isIP } from 'node:net'
import { own } from '../../core/own.ts'
import { type Finding, findingsAbout } from './finding.ts'

/** Checks for a proxy: Python, curl, Go and others send it every request that NO_PROXY does not exclude. */
export function checkProxies(urls: readonly string[], env: Environment): Finding[] {
  const { fine, wrong } = findingsAbout('proxy')
  const findings = urls.flatMap((address) => {
    const url = new URL(address)
    const scheme = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
    const set = [scheme, 'ALL_PROXY'].flatMap((name) => namesSet(name, env))
    if (set.length === 0) return []
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const lists = namesSet('NO_PROXY', env)
    // Programs differ in the spelling that they read.
    const isSpared =
      lists.length > 0 && lists.every((name) => spares(own(env, name) ?? '', host, url.port))
    if (isSpared) return [fine(`${set.join(' and ')} set; NO_PROXY excludes ${host}.`)]
    const value = [own(env, lists[0] ?? '') ?? '', host].filter((text) => text !== '').join(',')
    return [
      wrong(
        `${set.join(' and ')} ${set.length === 1 ? 'is' : 'are'} set, but NO_PROXY lacks ${host}: clients send requests for the sandbox to the proxy.`,
        `export NO_PROXY='${value}' no_proxy='${value}'`,
      ),
    ]
  })
  return findings
}

/** Returns the spellings of a variable that are set. */
function namesSet(name: string, env: Environment): string[] {
  return [name, name.toLowerCase()].filter((spelling) => (own(env, spelling) ?? '') !== '')
}

/** Returns whether a list of hosts, suffixes, addresses and ranges contains the host. */
export function spares(list: string, host: string, port: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true
      if (entry.includes('/')) return isInRange(entry, host)
      const name = entry.replace(/^\*?\./, '').replace(/^\[(.*)\]$/, '$1')
      const [, bare = name, ofPort] = /^([^:]+):(\d+)$/.exec(name) ?? []
      if (ofPort !== undefined && ofPort !== port) return false
      return bare !== '' && (host === bare || host.endsWith(`.${bare}`))
    })
}

function isInRange(range: string, host: string): boolean {
  const [net = '', bits = ''] = range.split('/')
  if (isIP(host) === 0 || isIP(net) !== isIP(host) || !/^\d{1,3}$/.test(bits)) return false
  const family = isIP(host) === 6 ? 'ipv6' : 'ipv4'
  if (Number(bits) > (family === 'ipv6' ? 128 : 32)) return false
  const ranges = new BlockList()
  ranges.addSubnet(net, Number(bits), family)
  return ranges.check(host, family)
}
