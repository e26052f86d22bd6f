import type { Environment } from '../../app/config/flag-sources.ts'
import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { messageOf } from '../../core/background.ts'
import { isLoopbackHost, localhostAddresses } from '../../core/loopback.ts'
import { largestFileBytes } from '../../contract/fixtures/limits.ts'
import { own } from '../../core/own.ts'
import { readUserText } from '../../core/user-file.ts'
import type { CommandFor } from './check-sandbox.ts'
import { type Finding, findingsAbout } from './finding.ts'

const { fine, note, wrong } = findingsAbout('certificate')

/** Variables that name trusted certificates, each with its readers. */
const trustVariables = {
  NODE_EXTRA_CA_CERTS: 'Node',
  SSL_CERT_FILE: 'Python’s httpx and OpenSSL',
  REQUESTS_CA_BUNDLE: 'Python’s requests',
} as const

const dayMs = 86_400_000
const soonDays = 30
const patienceMs = 5000

/** Certificate of the sandbox, and whether this process trusts it. */
export interface Presented {
  certificate: X509Certificate
  /** Verified with the same roots as any Node program in this shell. */
  isTrusted: boolean
}

/**
 * Checks whether clients accept the certificate of the sandbox.
 * @param urls at which clients reach it
 */
export async function checkCertificate(
  urls: readonly string[],
  env: Environment,
  commandFor: CommandFor,
): Promise<Finding[]> {
  const secure = urls.filter((url) => url.startsWith('https:'))
  const [first] = secure
  if (first === undefined) return missingFiles(env)
  let presented: Presented
  try {
    presented = await fetchCertificate(new URL(first))
  } catch (error) {
    return [note(`Cannot read the certificate of ${first}: ${messageOf(error)}`)]
  }
  return [
    ...judgeCertificate(presented.certificate, secure, Date.now()),
    ...(await judgeTrust(presented, env, `eval "$(${commandFor('env')})"`)),
  ]
}

/** Checks expiry and names. */
export function judgeCertificate(
  certificate: X509Certificate,
  urls: readonly string[],
  now: number,
): Finding[] {
  const findings: Finding[] = []
  const renew = 'Restart the sandbox to get a new certificate.'
  const left = Math.floor((Date.parse(certificate.validTo) - now) / dayMs)
  if (left < 0) findings.push(wrong(`The certificate expired on ${certificate.validTo}.`, renew))
  else if (left < soonDays) {
    findings.push(note(`The certificate expires in ${left} days.`, renew))
  }
  for (const url of urls) {
    const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
    const named = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)
    if (named !== undefined) continue
    const fix = `Start the sandbox with --allow-host ${host}, or --base-url ${url}.`
    findings.push(wrong(`The certificate does not cover ${host}.`, fix))
  }
  return findings
}

async function judgeTrust(
  { certificate, isTrusted }: Presented,
  env: Environment,
  fix: string,
): Promise<Finding[]> {
  const findings: Finding[] = []
  if (isTrusted) findings.push(fine('Node trusts the certificate.'))
  for (const [name, reader] of Object.entries(trustVariables)) {
    const file = own(env, name)
    const isOfNode = name === 'NODE_EXTRA_CA_CERTS'
    if (isOfNode && isTrusted) continue
    if (file === undefined || file === '') {
      if (isOfNode)
        findings.push(wrong(`Node does not trust the certificate: ${name} is not set.`, fix))
      else if (name === 'SSL_CERT_FILE') {
        findings.push(note(`${reader} do not trust the certificate: ${name} is not set.`, fix))
      }
      continue
    }
    const problem = await whyNotIn(file, certificate)
    if (problem === undefined) continue
    // It would replace all other roots, so "env" does not set it.
    const further = name === 'REQUESTS_CA_BUNDLE' ? ` && export ${name}="$SSL_CERT_FILE"` : ''
    findings.push(wrong(`${name}, which ${reader} read, ${problem}.`, `${fix}${further}`))
  }
  return findings
}

async function whyNotIn(file: string, certificate: X509Certificate): Promise<string | undefined> {
  let text
  try {
    text = await readUserText(file, largestFileBytes)
  } catch (error) {
    return `names an unreadable file (${messageOf(error)})`
  }
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  const holds = blocks.some((block) => fingerprintOf(block) === certificate.fingerprint256)
  return holds ? undefined : `names ${file}, which does not contain the certificate of this sandbox`
}

function fingerprintOf(pem: string): string | undefined {
  try {
    return new X509Certificate(pem).fingerprint256
  } catch {
    // Other certificates in the file may be valid.
    return undefined
  }
}

/** Unused with plain HTTP, but a missing file breaks all other HTTPS connections. */
async function missingFiles(env: Environment): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const name of Object.keys(trustVariables)) {
    const file = own(env, name)
    if (file === undefined || file === '') continue
    try {
      await readUserText(file, largestFileBytes)
    } catch (error) {
      findings.push(note(`${name} names an unreadable file: ${messageOf(error)}`, `unset ${name}`))
    }
  }
  return findings
}

/** Opens a connection that accepts any certificate. */
function fetchCertificate({ hostname, port }: URL): Promise<Presented> {
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  const [loopback = name] = localhostAddresses
  // Names under localhost are this machine, whatever a resolver returns.
  const host = isLoopbackHost(name) && isIP(name) === 0 ? loopback : name
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      rejectUnauthorized: false,
      ...(isIP(name) === 0 ? { servername: name } : {}),
    })
    socket.setTimeout(patienceMs, () => socket.destroy(new Error('no response')))
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate()
      const problem = socket.authorizationError as (Error & { code?: string }) | string | null
      const code = typeof problem === 'string' ? problem : problem?.code
      socket.destroy()
      if (certificate === undefined) reject(new Error('the server sent none'))
      // Names and expiry have their own checks.
      else {
        const isOther = code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'CERT_HAS_EXPIRED'
        resolve({ certificate, isTrusted: socket.authorized || isOther })
      }
    })
  })
}
