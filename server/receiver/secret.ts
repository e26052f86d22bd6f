import { createHash, timingSafeEqual } from 'node:crypto'
import { Rejection } from './rejection.ts'

export interface SecretOptions {
  /** Accepted secrets; several while one is being replaced. Default: `WEBHOOK_SECRET`. */
  secret?: string | readonly string[] | undefined
  /** Same as `secret`, by its name in `huggingface_hub`'s `WebhooksServer`. */
  webhook_secret?: string | readonly string[] | undefined
  /** Accepts the secret as `?secret=`, too, which the Hub documents as an alternative. Default: false. */
  allowQuerySecret?: boolean | undefined
}

export interface SecretGuard {
  /** Whether no secret is configured, so that everyone may post. */
  readonly open: boolean
  /** Lines to print at the start; `warning` for a risk. */
  readonly notice: { warning: boolean; lines: readonly string[] }
  /** @throws {Rejection} 401 without a secret, 403 with a wrong one or from a web page */
  verify(request: Request): void
}

const openLines = [
  'WARNING: no webhook secret is defined. Your webhook endpoints are open to everyone.',
  'Set the WEBHOOK_SECRET environment variable, or pass `secret` to createWebhooks(),',
  'and set the same value in the settings of the webhook.',
]

/**
 * Checks the secret of deliveries.
 * @throws {TypeError} for a secret that no delivery can have
 */
export function createSecretGuard(options: SecretOptions, env: NodeJS.ProcessEnv): SecretGuard {
  const { secret = options.webhook_secret } = options
  if (options.secret !== undefined && options.webhook_secret !== undefined) {
    throw new TypeError('`secret` and `webhook_secret` are the same option: pass one of them.')
  }
  const secrets = configuredSecrets(secret === undefined ? env['WEBHOOK_SECRET'] : secret)
  if (secrets === undefined) {
    return { open: true, notice: { warning: true, lines: openLines }, verify: refuseWebPages }
  }
  const accepted = secrets.map(digest)
  return {
    open: false,
    notice: secrets.includes('')
      ? { warning: true, lines: ['WARNING: the webhook secret is empty. Anybody can guess it.'] }
      : { warning: false, lines: ['Webhook secret is correctly defined.'] },
    verify(request) {
      const given = givenSecret(request, options.allowQuerySecret ?? false)
      if (given === null) throw new Rejection(401, 'x-webhook-secret header not set.')
      if (!matchesAny(digest(given), accepted)) throw new Rejection(403, 'Invalid webhook secret.')
    },
  }
}

// An empty WEBHOOK_SECRET counts as defined, as in the Python helper: it must not disable the check.
function configuredSecrets(option: string | readonly string[] | undefined): string[] | undefined {
  if (option === undefined) return undefined
  const isText = (value: unknown) => typeof value === 'string'
  if (!isText(option) && !(Array.isArray(option) && option.every(isText))) {
    throw new TypeError('A webhook secret must be a string or a list of strings.')
  }
  const secrets = typeof option === 'string' ? [option] : [...option]
  if (secrets.length === 0) {
    throw new TypeError('The list of webhook secrets is empty, so every delivery would be refused.')
  }
  for (const secret of secrets) {
    if (!/^[\x20-\x7e]*$/.test(secret)) {
      throw new TypeError(
        'A webhook secret contains line breaks or other characters that are not printable ASCII. The Hub accepts ASCII only, so no delivery could match it.',
      )
    }
    if (secret !== secret.trim()) {
      throw new TypeError(
        'A webhook secret starts or ends with a space. HTTP strips such spaces from header values, so no delivery could match it.',
      )
    }
  }
  return secrets
}

function givenSecret(request: Request, allowQuery: boolean): string | null {
  const header = request.headers.get('x-webhook-secret')
  if (header !== null || !allowQuery) return header
  return new URL(request.url).searchParams.get('secret')
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

// Digests have one length, so the time reveals neither the length of a secret nor which of several matched.
function matchesAny(given: Buffer, accepted: readonly Buffer[]): boolean {
  let found = false
  for (const digested of accepted) found = timingSafeEqual(given, digested) || found
  return found
}

// Programs send no Origin; browsers send one with every POST. Without a secret, only this distinguishes a delivery from a
// foreign page, including one that rebinds its name.
function refuseWebPages(request: Request): void {
  if (!request.headers.has('origin')) return
  throw new Rejection(
    403,
    'Requests from web pages are refused while no webhook secret is defined.',
  )
}
